import { Parser } from 'htmlparser2';

/** Attributes by their qualified name. */
export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** Streams through XML. Entities of a DTD are never expanded, so a document cannot blow itself up. */
export function parseXml(xml: string, handler: XmlHandler): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(name, attributes),
      onclosetag: (name) => handler.close?.(name),
      ontext: (text) => handler.text?.(text),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
}

/** Relationship targets of an Office part by their id: `xl/workbook.xml` has them in `xl/_rels/workbook.xml.rels`. */
export function relationships(
  xml: string | null,
): ReadonlyMap<string, { readonly target: string; readonly type: string }> {
  const found = new Map<string, { target: string; type: string }>();
  if (xml === null) return found;
  parseXml(xml, {
    open(name, attributes) {
      const { Id, Target, Type } = attributes;
      if (name === 'Relationship' && Id !== undefined && Target !== undefined)
        found.set(Id, { target: Target, type: Type ?? '' });
    },
  });
  return found;
}

/** Path of the part that holds the relationships of `part`. */
export function relationshipsPart(part: string): string {
  const slash = part.lastIndexOf('/');
  return `${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`;
}

/** What a value of a style loads by; written with escapes it may be hidden where values are kept as they were written. */
const LOADS = /url\(|image-set\(|src\(|image\(|\\/iu;

/** Takes out of a style all that would load something. The policy of the frame stops it too: this asks for nothing at all. */
function tame(style: CSSStyleDeclaration): void {
  for (const property of [...style]) {
    if (LOADS.test(style.getPropertyValue(property))) style.removeProperty(property);
  }
}

function tameRules(owner: CSSStyleSheet | CSSGroupingRule): void {
  for (let index = owner.cssRules.length - 1; index >= 0; index -= 1) {
    const rule = owner.cssRules[index];
    const type = rule?.constructor.name;
    if (rule === undefined) continue;
    if (type === 'CSSFontFaceRule' || type === 'CSSImportRule') owner.deleteRule(index);
    else {
      if ('style' in rule) tame(rule.style as CSSStyleDeclaration);
      if ('cssRules' in rule) tameRules(rule as CSSGroupingRule);
    }
  }
}

/** A style sheet of a document, for a page of the window that it is drawn in, that loads nothing. */
export function tameSheet(view: Window & typeof globalThis, text: string): CSSStyleSheet {
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(text);
  tameRules(sheet);
  return sheet;
}

/** A style attribute that loads nothing. It is read in a document that is not drawn, which loads nothing either. */
export function tameStyle(text: string): string {
  const { style } = document.implementation.createHTMLDocument().createElement('span');
  style.cssText = text;
  tame(style);
  return style.cssText;
}

import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import { type ReportParts, writeReport } from './problemReport.ts';
import type { Texts } from './texts.ts';

/** Report a problem: asks where to, writes the report, and shows it. False when the person thought better of it. */
export async function saveReport({
  texts,
  parts,
}: {
  readonly texts: Texts;
  readonly parts: ReportParts;
}): Promise<boolean> {
  const name = `${brand.protocol}-report-${new Date().toISOString().slice(0, 10)}.zip`;
  const { canceled, filePath } = await dialog.showSaveDialog({
    title: texts.saveReport,
    defaultPath: join(app.getPath('documents'), name),
    filters: [{ name: 'ZIP', extensions: ['zip'] }],
  });
  if (canceled || filePath === '') return false;
  await writeReport(filePath, parts);
  shell.showItemInFolder(filePath);
  return true;
}

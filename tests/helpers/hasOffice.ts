import { execFileSync } from 'node:child_process';

/** Whether LibreOffice is installed, without which a server makes no PDFs. */
export function hasOffice(): boolean {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

import type { Platform } from '../../../shared/model/appVersion.ts';

/** The system that a browser names, if the desktop app runs on it. Phones and tablets name those of desktops too. */
export function readersPlatform(userAgent: string): Platform | null {
  if (/android|iphone|ipad|mobile|cros/iu.test(userAgent)) return null;
  if (/windows nt/iu.test(userAgent)) return 'win32';
  if (/macintosh/iu.test(userAgent)) return 'darwin';
  return /linux|x11/iu.test(userAgent) ? 'linux' : null;
}

import { DESKTOP_SITE_COOKIE } from '../../shared/rules/phone.ts';

const YEAR_S = 365 * 24 * 3600;

/** Asks for the web layout on a phone, or for the phone's again, and loads the page anew: the server sends the one that was asked for. */
export function chooseDesktopSite(isWanted: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it with the page itself, and the Cookie Store is not everywhere
  document.cookie = `${DESKTOP_SITE_COOKIE}=1; path=/; max-age=${isWanted ? YEAR_S : 0}; samesite=lax`;
  location.reload();
}

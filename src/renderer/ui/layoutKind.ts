/**
 * Whether this page is the phone layout's: the server sends it to phones (`layoutFor`), and it says so on its root, which the
 * style sheets go by too.
 */
export function isPhoneLayout(): boolean {
  return typeof document !== 'undefined' && document.documentElement.dataset.layout === 'phone';
}

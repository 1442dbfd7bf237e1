/** The email check of web-and-phone.md §5: local part, `@`, a domain, and a top-level part of at least two letters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[A-Za-z0-9._-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/u.test(text);
}

import { describe, expect, it } from 'vitest';
import { isEmail } from '../../../src/shared/rules/email.ts';

describe('email: local part, @, domain, a top-level part of 2 letters (web-and-phone.md §5)', () => {
  it.each(['ana@example.org', 'a.b_c-D9@mail.example.co', 'x@sub-domain.example.museum'])('%s is one', (text) =>
    expect(isEmail(text)).toBe(true),
  );
  it.each([
    '',
    'ana',
    '@example.org',
    'ana@',
    'ana@example',
    'ana@example.o',
    'ana@example.0rg',
    'ana+tag@example.org',
    'an a@example.org',
    'ana@exa_mple.org',
    'ana@example..org',
    'ana@example.org ',
    'ana@example.org\n',
    'ünï@example.org',
    `${'a'.repeat(65)}@example.org`,
  ])('%j is none', (text) => expect(isEmail(text)).toBe(false));
});

import { useState } from 'react';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Logo } from '../../ui/Logo.tsx';

const MESSAGES = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'] as const;

/** The first second: one of seven friendly messages, while everything loads behind it. */
export function Splash({ label }: { readonly label: string }) {
  const { t } = useTranslation();
  const [message] = useState(() => MESSAGES[Math.floor(Math.random() * LIMITS.splashMessages)] ?? 'm0');
  return (
    <div className="splash" role="status" aria-label={label}>
      <Logo large />
      <p className="splash__message serif">{t(`splash.${message}`)}</p>
    </div>
  );
}

import { Link } from 'wouter';
import { useTranslation } from '../i18n/useTranslation.ts';

export interface BreadcrumbProps {
  readonly steps: readonly { readonly name: string; readonly href: string }[];
}

/** The places above the present one. */
export function Breadcrumb({ steps }: BreadcrumbProps) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('shelf.breadcrumb')}>
      <ol className="breadcrumb">
        {steps.map(({ name, href }) => (
          <li key={href}>
            <Link href={href}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

import { Clock, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { paths } from '../../app/routes.ts';
import { EmptyState } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';

/** A link that opens for nobody, or that there is not. */
export function ClosedPage({ reason }: { readonly reason: 'expired' | 'not-found' }) {
  const { t } = useTranslation();
  const [icon, title, text] =
    reason === 'expired'
      ? [Clock, t('sharing.expiredTitle'), t('sharing.expiredText')]
      : [SearchX, t('sharing.missingTitle'), t('sharing.missingText')];
  useTitle(title);
  return (
    <EmptyState icon={icon} title={title} text={text} level={1}>
      <Link href={paths.home} className="button">
        {t('notFound.home')}
      </Link>
    </EmptyState>
  );
}

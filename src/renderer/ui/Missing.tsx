import { SearchX } from 'lucide-react';
import { Link } from 'wouter';
import { paths } from '../app/routes.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { EmptyState } from './States.tsx';
import { useTitle } from './useTitle.ts';

export interface MissingProps {
  readonly title: string;
  readonly text: string;
}

/** In the place of a screen whose library, shelf or document is not there, or not for the reader: what is missing, and a way on. */
export function Missing({ title, text }: MissingProps) {
  const { t } = useTranslation();
  useTitle(title);
  return (
    <EmptyState icon={SearchX} title={title} text={text} level={1}>
      <Link href={paths.home} className="button">
        {t('notFound.home')}
      </Link>
    </EmptyState>
  );
}

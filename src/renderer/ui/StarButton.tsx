import type { TFunction } from 'i18next';
import { Star } from 'lucide-react';
import { useTranslation } from '../i18n/useTranslation.ts';
import './star.css';

export interface StarButtonProps {
  readonly name: string;
  readonly isFavorite: boolean;
  readonly onToggle: () => void;
  /** Set in lists that are one stop of the Tab key. */
  readonly tabIndex?: number;
}

/** A star that is pressed for favourites; for rows of long lists, whose list knows the texts. */
export function RowStar({ name, isFavorite, onToggle, tabIndex, t }: StarButtonProps & { readonly t: TFunction }) {
  return (
    <button
      type="button"
      className="icon-button star"
      aria-pressed={isFavorite}
      aria-label={t('files.starOf', { name })}
      title={isFavorite ? t('files.unstar') : t('files.star')}
      onClick={onToggle}
      {...(tabIndex === undefined ? {} : { tabIndex })}
    >
      <Star aria-hidden="true" />
    </button>
  );
}

/** A star that is pressed for favourites. */
export function StarButton(props: StarButtonProps) {
  const { t } = useTranslation();
  return <RowStar {...props} t={t} />;
}

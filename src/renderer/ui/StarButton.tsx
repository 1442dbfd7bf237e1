import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import './star.css';

export interface StarButtonProps {
  readonly name: string;
  readonly isFavorite: boolean;
  readonly onToggle: () => void;
  /** Set in lists that are one stop of the Tab key. */
  readonly tabIndex?: number;
}

/** A star that is pressed for favourites. */
export function StarButton({ name, isFavorite, onToggle, tabIndex }: StarButtonProps) {
  const { t } = useTranslation();
  const title = isFavorite ? t('files.unstar') : t('files.star');
  return (
    <button
      type="button"
      className="icon-button star"
      aria-pressed={isFavorite}
      aria-label={t('files.starOf', { name })}
      title={title}
      onClick={onToggle}
      {...(tabIndex === undefined ? {} : { tabIndex })}
    >
      <Star aria-hidden="true" />
    </button>
  );
}

import { useTranslation } from 'react-i18next';
import type { ViewProps } from '../view.ts';
import './image.css';

/** An image, as large as there is room. */
export function ImageView({ content: { url, name } }: ViewProps) {
  const { t } = useTranslation();
  return (
    <div className="preview__image">
      <img src={url} alt={t('version.imageAlt', { name })} />
    </div>
  );
}

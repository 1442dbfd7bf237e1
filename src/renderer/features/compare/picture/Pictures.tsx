import { type CSSProperties, type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { PictureSize } from './difference.ts';
import './pictures.css';

/** How two pictures are held against each other. `overlay` tints what only one of them has, for what is ink on paper. */
export type PictureLook = 'side-by-side' | 'swipe' | 'onion' | 'difference' | 'overlay';

export interface PicturesProps {
  readonly look: PictureLook;
  /** Each fills the room it is given, and keeps its shape; null where a version has none. */
  readonly base: ReactNode;
  readonly other: ReactNode;
  /** The room that both fit in, in pixels. */
  readonly room: PictureSize;
}

interface LayersStyle extends CSSProperties {
  readonly '--at'?: string;
  readonly '--strength'?: number;
  readonly '--width': string;
  readonly '--shape': number;
}

/** Two pictures over or beside one another. */
export function Pictures({ look, base, other, room }: PicturesProps) {
  const { t } = useTranslation();
  const [at, setAt] = useState(50);
  const [strength, setStrength] = useState(50);
  const shape: LayersStyle = { '--width': `${room.width}px`, '--shape': room.width / room.height };
  const layers: LayersStyle = { ...shape, '--at': `${at}%`, '--strength': strength / 100 };
  if (look === 'side-by-side') {
    return (
      <div className="pictures pictures--beside">
        {([base, other] as const).map((picture, side) => (
          <figure key={side === 0 ? 'base' : 'other'} className="pictures__figure">
            <figcaption className="pictures__caption muted">
              {side === 0 ? t('compare.earlier') : t('compare.later')}
            </figcaption>
            <div className="pictures__stack" style={shape}>
              <div className="pictures__layer">
                {picture ?? <p className="pictures__none muted">{t('compare.noPage')}</p>}
              </div>
            </div>
          </figure>
        ))}
      </div>
    );
  }
  return (
    <div className="pictures">
      <div className="pictures__stack" data-look={look} style={layers}>
        <div className="pictures__layer pictures__base">{base}</div>
        <div className="pictures__layer pictures__other">{other}</div>
        {look === 'swipe' && (
          <>
            <span className="pictures__line" aria-hidden="true" />
            <input
              type="range"
              className="pictures__swipe"
              aria-label={t('compare.swipe')}
              min={0}
              max={100}
              value={at}
              onChange={(event) => setAt(event.target.valueAsNumber)}
            />
          </>
        )}
      </div>
      {look === 'swipe' && (
        <p className="pictures__ends muted" aria-hidden="true">
          <span>{t('compare.earlier')}</span>
          <span>{t('compare.later')}</span>
        </p>
      )}
      {look === 'onion' && (
        <label className="pictures__strength">
          <span aria-hidden="true">{t('compare.earlier')}</span>
          <input
            type="range"
            aria-label={t('compare.onion')}
            min={0}
            max={100}
            value={strength}
            onChange={(event) => setStrength(event.target.valueAsNumber)}
          />
          <span aria-hidden="true">{t('compare.later')}</span>
        </label>
      )}
      {look === 'overlay' && (
        <ul className="pictures__legend">
          <li data-side="base">{t('compare.legendOld')}</li>
          <li data-side="other">{t('compare.legendNew')}</li>
        </ul>
      )}
    </div>
  );
}

import { type SyntheticEvent, useMemo, useState } from 'react';
import { fillPath } from '../../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../../shared/api/documents.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { splitName } from '../../../ui/fileKind.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { useFormats } from '../../../ui/useFormats.ts';
import type { VersionPair } from '../comparisons.ts';
import { NotComparable } from '../NotComparable.tsx';
import { roomFor, shareThatDiffers, sizeOf } from './difference.ts';
import { type PictureLook, Pictures } from './Pictures.tsx';

const LOOKS = ['side-by-side', 'swipe', 'onion', 'difference'] as const satisfies readonly PictureLook[];
/** Until both pictures are there, their room has the shape of most. */
const UNKNOWN = { width: 1200, height: 900 };

interface Loaded {
  readonly base?: HTMLImageElement;
  readonly other?: HTMLImageElement;
}

/** What two pictures differ in: their sizes, and how much of them. */
function useFacts({ base, other }: Loaded): string | null {
  const { t } = useTranslation();
  const { locale } = useFormats();
  return useMemo(() => {
    if (base === undefined || other === undefined) return null;
    const [before, after] = [
      t('compare.dimensions', { ...sizeOf(base) }),
      t('compare.dimensions', { ...sizeOf(other) }),
    ];
    const share = shareThatDiffers(base, other);
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 }).format(share);
    return [
      before === after ? before : t('compare.dimensionsChange', { before, after }),
      share === 0 ? t('compare.looksSame') : t('compare.differs', { share: percent }),
    ].join(' · ');
  }, [base, other, t, locale]);
}

/** Two versions of a picture, beside or over each other. */
export function PictureCompare({ pair }: { readonly pair: VersionPair }) {
  const { t } = useTranslation();
  const [look, setLook] = useState<PictureLook>('side-by-side');
  const [loaded, setLoaded] = useState<Loaded>({});
  const [hasFailed, setFailed] = useState(false);
  const facts = useFacts(loaded);
  if (hasFailed) {
    return <NotComparable pair={pair} title={t('compare.pictureFailed')} text={t('compare.pictureFailedText')} />;
  }
  const picture = (side: 'base' | 'other') => {
    const { id, number, document_name } = pair[side];
    const keep = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
      setLoaded((before) => (before[side] === undefined ? { ...before, [side]: currentTarget } : before));
    return (
      <img
        className="pictures__picture"
        src={fillPath(STREAM_ROUTES.versionContent, { id })}
        alt={t('compare.imageOf', { number, name: splitName(document_name).base })}
        draggable={false}
        onLoad={keep}
        onError={() => setFailed(true)}
      />
    );
  };
  const { base, other } = loaded;
  const room = base === undefined || other === undefined ? UNKNOWN : roomFor(sizeOf(base), sizeOf(other));
  return (
    <>
      <div className="compare__bar card">
        <output>{facts ?? t('compare.comparing')}</output>
        <span className="compare__whole">
          <Segments
            label={t('compare.look')}
            value={look}
            options={LOOKS.map((value) => ({ value, label: t(`compare.look_${value}`) }))}
            onChange={setLook}
          />
        </span>
      </div>
      <div className="compare__pictures card">
        <Pictures look={look} base={picture('base')} other={picture('other')} room={room} />
      </div>
    </>
  );
}

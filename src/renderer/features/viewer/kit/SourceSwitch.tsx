import { type ComponentType, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { TextView } from '../text/TextView.tsx';
import { ViewerTools } from '../toolbar.tsx';
import type { ViewProps } from '../view.ts';

type Side = 'rendered' | 'source';

export interface SourceSwitchProps extends ViewProps {
  /** What the document looks like. */
  readonly rendered: ComponentType<ViewProps>;
  /** What the drawn side is called. */
  readonly label: 'rendered' | 'table' | 'image';
  readonly startsAt?: Side;
}

/** A document that is also a text that people write: as it looks, or as it is written. */
export function SourceSwitch({ rendered: Rendered, label, startsAt = 'rendered', ...view }: SourceSwitchProps) {
  const { t } = useTranslation();
  const [side, setSide] = useState<Side>(startsAt);
  return (
    <>
      <ViewerTools>
        <Segments
          label={t('viewKinds.shownAs')}
          value={side}
          options={[
            { value: 'rendered', label: t(`viewKinds.${label}`) },
            { value: 'source', label: t('viewKinds.source') },
          ]}
          onChange={setSide}
        />
      </ViewerTools>
      {side === 'rendered' ? <Rendered {...view} /> : <TextView {...view} />}
    </>
  );
}

import { Columns2, Equal, Rows2 } from 'lucide-react';
import { useState } from 'react';
import type { Comparison } from '../../../shared/model/compare.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { useTextComparison, type VersionPair } from './comparisons.ts';
import { DiffTable } from './DiffTable.tsx';
import type { DiffView } from './diffRows.ts';
import { NotComparable } from './NotComparable.tsx';
import { WhenCompared } from './WhenCompared.tsx';

/** Two columns of text need this much room. */
const WIDE = '(width >= 840px)';

export interface TextCompareProps {
  readonly pair: VersionPair;
  /** What a search found in one of them. */
  readonly find: string;
}

interface ResultProps extends TextCompareProps {
  readonly comparison: Comparison;
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
}

function Result({ pair, comparison, find, isWhole, onWhole }: ResultProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<DiffView>(() => (matchMedia(WIDE).matches ? 'side-by-side' : 'inline'));
  const { added, removed } = comparison;
  const views = [
    { kind: 'side-by-side', label: t('files.sideBySide'), Icon: Columns2 },
    { kind: 'inline', label: t('files.inline'), Icon: Rows2 },
  ] as const;
  if (comparison.unavailable !== null) {
    return <NotComparable pair={pair} title={t('files.notComparable')} text={t('files.notComparableText')} />;
  }
  if (comparison.changes.length === 0) {
    return (
      <div className="card">
        <EmptyState icon={Equal} title={t('files.sameText')} text={t('files.sameTextText')} />
      </div>
    );
  }
  return (
    <>
      {comparison.coarse && <p className="notice">{t('files.coarse')}</p>}
      {comparison.truncated && <p className="notice notice--warning">{t('files.truncated')}</p>}
      <DiffTable comparison={comparison} view={view} find={find}>
        <span className="compare__added">{t('files.linesAdded', { count: added })}</span>
        <span className="compare__removed">{t('files.linesRemoved', { count: removed })}</span>
        <label className="check compare__whole">
          <input type="checkbox" checked={isWhole} onChange={(event) => onWhole(event.target.checked)} />
          {t('files.allLines')}
        </label>
        <fieldset className="compare__views" aria-label={t('files.view')}>
          {views.map(({ kind, label, Icon }) => (
            <IconButton key={kind} aria-pressed={view === kind} label={label} onClick={() => setView(kind)}>
              <Icon />
            </IconButton>
          ))}
        </fieldset>
      </DiffTable>
    </>
  );
}

/** What two versions differ in as texts: line by line, with the words that changed. */
export function TextCompare({ pair, find }: TextCompareProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <WhenCompared comparison={useTextComparison(pair, isWhole)}>
      {(comparison) => <Result pair={pair} comparison={comparison} find={find} isWhole={isWhole} onWhole={setWhole} />}
    </WhenCompared>
  );
}

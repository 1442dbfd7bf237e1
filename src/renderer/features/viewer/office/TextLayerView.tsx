import { FileText } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { createDomMarks } from '../domMarks.ts';
import { NotShown } from '../kit/NotShown.tsx';
import { whyNoText } from '../kit/refusal.ts';
import { useTextLayer } from '../textLayer.ts';
import type { TextSection, ViewProps } from '../view.ts';
import './parts.css';

/** The part of a label after its kind: the number of a slide, the name of a sheet. */
function useSectionTitle(): (section: TextSection) => string | null {
  const { t } = useTranslation();
  return ({ label }) => {
    const [, kind, name] = /^(Page|Slide|Sheet) (.+)$/su.exec(label) ?? [];
    if (name === undefined) return null;
    if (kind === 'Slide') return t('viewKinds.slide', { name });
    return kind === 'Page' ? t('viewKinds.page', { name }) : name;
  };
}

interface SectionsProps extends Pick<ViewProps, 'place' | 'onFindable'> {
  readonly sections: readonly TextSection[];
}

function Sections({ sections, place: { section: wanted }, onFindable }: SectionsProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLElement>(null);
  const titleOf = useSectionTitle();
  useEffect(() => {
    if (root.current === null) return;
    const marks = createDomMarks(root.current, [...root.current.querySelectorAll<HTMLElement>('.parts__text')]);
    onFindable({ sections: null, show: marks.show });
    return () => {
      onFindable(null);
      marks.close();
    };
  }, [onFindable]);
  useEffect(() => {
    const at = sections.findIndex(({ label }) => label === wanted);
    if (at > 0) root.current?.querySelectorAll('.parts__part')[at]?.scrollIntoView({ block: 'start' });
  }, [sections, wanted]);
  return (
    <section
      className="parts"
      ref={root}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard
      tabIndex={0}
      aria-label={t('viewKinds.document')}
    >
      <p className="view-note">{t('viewKinds.textOnly')}</p>
      {sections.map((section) => {
        const title = titleOf(section);
        return (
          <article key={section.label} className="parts__part" data-named={title !== null}>
            {title !== null && <h2 className="parts__title">{title}</h2>}
            <div className="parts__text">{section.text}</div>
          </article>
        );
      })}
    </section>
  );
}

/** A document by its text alone: what is searched of it, each slide on a card of its own. */
export function TextLayerView({ content, place, onFindable, loadText }: ViewProps) {
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, refetch } = useTextLayer(content.key, loadText, content.size > 0);
  if (content.size === 0) return <EmptyState icon={FileText} title={t('version.empty')} />;
  if (isPending) return <LoadingRows rows={10} shape="text" />;
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.problem === null) return <Sections sections={data.sections} place={place} onFindable={onFindable} />;
  return <NotShown content={content} why={whyNoText(data.problem, content.name)} />;
}

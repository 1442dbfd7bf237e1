import { Tabs } from 'radix-ui';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { LoadingRows } from '../../ui/States.tsx';
import { CommentsTab, PeoplePanels, type ShelfAsideProps, useTab } from './ShelfAside.tsx';
import '../../ui/tabs.css';

const TABS = ['files', 'comments', 'members', 'history'] as const;

/** Where the commits of a shelf are shown. */
export interface HistoryProps {
  readonly library: string;
  readonly shelfId: string;
}

export interface ShelfTabsProps extends ShelfAsideProps {
  readonly files: ReactNode;
  /** A feature of its own. */
  readonly history: ComponentType<HistoryProps>;
}

/** A shelf on a phone: what stands side by side elsewhere is in tabs here, and the history with it. */
export function ShelfTabs(props: ShelfTabsProps) {
  const { files, history: History, ...people } = props;
  const { shelf } = people;
  const { t } = useTranslation();
  const [tab, choose] = useTab(TABS);
  return (
    <Tabs.Root value={tab} onValueChange={choose} className="shelf__tabs">
      <Tabs.List className="tabs" aria-label={t('sidebar.tabs')}>
        <Tabs.Trigger value="files" className="tabs__tab">
          {t('sidebar.files')}
        </Tabs.Trigger>
        <CommentsTab shelf={shelf} />
        <Tabs.Trigger value="members" className="tabs__tab">
          {t('shelf.members')}
        </Tabs.Trigger>
        <Tabs.Trigger value="history" className="tabs__tab">
          {t('shelf.history')}
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="files" className="tabs__panel">
        {files}
      </Tabs.Content>
      <PeoplePanels {...people} />
      <Tabs.Content value="history" className="tabs__panel">
        <Suspense fallback={<LoadingRows rows={5} />}>
          <History library={shelf.library} shelfId={shelf.id} />
        </Suspense>
      </Tabs.Content>
    </Tabs.Root>
  );
}

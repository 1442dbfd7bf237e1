import { Tabs } from 'radix-ui';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import type { Shelf, ShelfDocument } from '../../../shared/model/library.ts';
import type { CommentsProps } from '../../api/comments.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { LoadingRows } from '../../ui/States.tsx';
import { CommentsTab, type MembersProps, useNamedDocument, useTab } from './ShelfAside.tsx';
import '../../ui/tabs.css';

const TABS = ['files', 'comments', 'members', 'history'] as const;

/** Where the commits of a shelf are shown. */
export interface HistoryProps {
  readonly library: string;
  readonly shelfId: string;
}

export interface ShelfTabsProps {
  readonly shelf: Shelf;
  readonly documents: readonly ShelfDocument[];
  readonly files: ReactNode;
  /** Features of their own. */
  readonly members: ComponentType<MembersProps>;
  readonly comments: ComponentType<CommentsProps>;
  readonly history: ComponentType<HistoryProps>;
}

/** A shelf on a phone: what stands side by side elsewhere is in tabs here, and the history with it. */
export function ShelfTabs(props: ShelfTabsProps) {
  const { shelf, documents, files, members: Members, comments: Comments, history: History } = props;
  const { t } = useTranslation();
  const [tab, choose] = useTab(TABS);
  const document = useNamedDocument(documents);
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
      <Tabs.Content value="comments" className="tabs__panel">
        <Suspense fallback={<LoadingRows rows={3} />}>
          <Comments library={shelf.library} shelfId={shelf.id} document={document} />
        </Suspense>
      </Tabs.Content>
      <Tabs.Content value="members" className="tabs__panel">
        <Suspense fallback={<LoadingRows rows={shelf.members.length} />}>
          <Members shelf={shelf} />
        </Suspense>
      </Tabs.Content>
      <Tabs.Content value="history" className="tabs__panel">
        <Suspense fallback={<LoadingRows rows={5} />}>
          <History library={shelf.library} shelfId={shelf.id} />
        </Suspense>
      </Tabs.Content>
    </Tabs.Root>
  );
}

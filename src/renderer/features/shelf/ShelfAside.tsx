import { Tabs } from 'radix-ui';
import { type ComponentType, memo, Suspense, useEffect, useMemo, useRef } from 'react';
import type { Shelf, ShelfDocument } from '../../../shared/model/library.ts';
import { type CommentsProps, useUnreadComments } from '../../api/comments.ts';
import { navigate, usePathname, useSearch } from '../../app/place.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { LoadingRows } from '../../ui/States.tsx';
import '../../ui/tabs.css';

const TABS = ['members', 'comments'] as const;

export interface MembersProps {
  readonly shelf: Shelf;
}

/** The tab that the address names, or the first, and how another one is chosen. */
export function useTab<T extends string>(tabs: readonly [T, ...T[]]): readonly [T, (tab: string) => void] {
  const pathname = usePathname();
  const query = new URLSearchParams(useSearch());
  const choose = (tab: string) => {
    query.set('tab', tab);
    navigate(`${pathname}?${query}`, { replace: true });
  };
  return [tabs.find((tab) => tab === query.get('tab')) ?? tabs[0], choose];
}

/** The tab of the comments, with how many of them are unread. */
export function CommentsTab({ shelf }: { readonly shelf: Shelf }) {
  const { t } = useTranslation();
  const { data: unread = 0 } = useUnreadComments(shelf.library, shelf.id);
  return (
    <Tabs.Trigger value="comments" className="tabs__tab">
      {t('talk.comments')}
      {unread > 0 && (
        <span className="tabs__count tabs__count--unread">
          <span aria-hidden="true">{unread}</span>
          <span className="visually-hidden">{t('talk.unread', { count: unread })}</span>
        </span>
      )}
    </Tabs.Trigger>
  );
}

/** The document that the address names, if it is one of the shelf's. */
function useNamedDocument(documents: readonly ShelfDocument[]): ShelfDocument | null {
  const named = new URLSearchParams(useSearch()).get('document');
  return useMemo(() => documents.find(({ id }) => id === named) ?? null, [documents, named]);
}

export interface ShelfAsideProps {
  readonly shelf: Shelf;
  readonly documents: readonly ShelfDocument[];
  /** Features of their own. */
  readonly members: ComponentType<MembersProps>;
  readonly comments: ComponentType<CommentsProps>;
}

/** What the tabs of the members and of the comments show. */
export function PeoplePanels({ shelf, documents, members: Members, comments: Comments }: ShelfAsideProps) {
  const document = useNamedDocument(documents);
  return (
    <>
      <Tabs.Content value="members" className="tabs__panel">
        <Suspense fallback={<LoadingRows rows={shelf.members.length} />}>
          <Members shelf={shelf} />
        </Suspense>
      </Tabs.Content>
      <Tabs.Content value="comments" className="tabs__panel">
        <Suspense fallback={<LoadingRows rows={3} />}>
          <Comments library={shelf.library} shelfId={shelf.id} document={document} />
        </Suspense>
      </Tabs.Content>
    </>
  );
}

/** What stands beside a shelf's documents: its members, or what they say. Not drawn again for what is typed into the filter. */
export const ShelfAside = memo(function ShelfAside(props: ShelfAsideProps) {
  const { shelf } = props;
  const { t } = useTranslation();
  const [tab, choose] = useTab(TABS);
  const aside = useRef<HTMLElement>(null);

  // Where it stands below the documents, an address that asks for the comments leads down to them.
  useEffect(() => {
    if (tab === 'comments') aside.current?.scrollIntoView({ block: 'nearest' });
  }, [tab]);

  return (
    <aside ref={aside} className="shelf__aside" aria-label={t('talk.asideTabs')}>
      <Tabs.Root value={tab} onValueChange={choose}>
        <Tabs.List className="tabs" aria-label={t('talk.asideTabs')}>
          <Tabs.Trigger value="members" className="tabs__tab">
            {t('shelf.members')} <span className="tabs__count">{shelf.members.length}</span>
          </Tabs.Trigger>
          <CommentsTab shelf={shelf} />
        </Tabs.List>
        <PeoplePanels {...props} />
      </Tabs.Root>
    </aside>
  );
});

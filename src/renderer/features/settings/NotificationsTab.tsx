import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BookMarked, FileText } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CallOutput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { useDocumentHistory, useLibraries } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Section } from '../../ui/Section.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { accountKeys, useFollows } from './queries.ts';

type Follow = CallOutput<typeof api.notifications.follows>['follows'][number];

function Digest() {
  const { t } = useTranslation();
  const { client } = useServices();
  const user = useSession((state) => state.user);
  const setUser = useSession((state) => state.setUser);
  const errorText = useErrorText();
  /** What was chosen, at once: the mutation tells of it a moment later. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const save = useMutation({
    mutationFn: (mail_digest: boolean) => client.call(api.account.update, { body: { mail_digest } }),
    onSuccess: (changed) => {
      setUser(changed);
      notify(t('people.saved'));
    },
    onError: (error) => notify(errorText(error), 'error'),
    onSettled: () => setChosen(null),
  });
  const choose = (wantsMail: boolean) => {
    setChosen(wantsMail);
    save.mutate(wantsMail);
  };
  return (
    <Section title={t('people.notifications.mail')}>
      <label className="check">
        <input
          type="checkbox"
          checked={chosen ?? user?.mail_digest === true}
          onChange={(event) => choose(event.target.checked)}
          disabled={save.isPending}
        />
        {t('people.notifications.digest')}
      </label>
      <p className="muted">{t('people.notifications.digestText')}</p>
    </Section>
  );
}

/** The name of what is followed. Where it is a shelf, the libraries know it; a document's own history knows it. */
function FollowedName({ follow }: { readonly follow: Follow }) {
  const { t } = useTranslation();
  const { data: libraries = [] } = useLibraries();
  const { data: versions } = useDocumentHistory(follow.kind === 'document' ? follow.target_id : undefined);
  const shelf = libraries.flatMap(({ shelves }) => shelves).find(({ id }) => id === follow.target_id);
  if (shelf !== undefined) return <Link href={paths.shelf(shelf.library, shelf.id)}>{shelf.name}</Link>;
  const name = versions?.[0]?.document_name;
  return name ?? t(follow.kind === 'shelf' ? 'people.notifications.someShelf' : 'people.notifications.someDocument');
}

function FollowRow({ follow }: { readonly follow: Follow }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const params = { kind: follow.kind, id: follow.target_id };
  const change = useMutation({
    mutationFn: (mode: Follow['mode'] | 'default'): Promise<unknown> =>
      mode === 'default'
        ? client.call(api.notifications.unfollow, { params })
        : client.call(api.notifications.follow, { params, body: { mode } }),
    onError: (error) => notify(errorText(error), 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.follows }),
  });
  const Icon = follow.kind === 'shelf' ? BookMarked : FileText;
  const other = follow.mode === 'follow' ? 'mute' : 'follow';
  return (
    <li>
      <span className="rows__main">
        <span className="rows__title">
          <Icon aria-hidden="true" />
          <FollowedName follow={follow} />
        </span>
        <span className="muted">{t(`people.notifications.is.${follow.mode}`)}</span>
      </span>
      <span className="section__actions">
        <button
          type="button"
          className="button button--small"
          disabled={change.isPending}
          onClick={() => change.mutate(other)}
        >
          {t(`people.notifications.${other}`)}
        </button>
        <button
          type="button"
          className="button button--small"
          disabled={change.isPending}
          onClick={() => change.mutate('default')}
        >
          {t('people.notifications.default')}
        </button>
      </span>
    </li>
  );
}

/** What the user wants to hear of (field.md rows 56 and 57). */
export function NotificationsTab() {
  const { t } = useTranslation();
  const { data: follows, error, isPending, isLoadingError, refetch } = useFollows();
  return (
    <>
      <Digest />
      <Section title={t('people.notifications.places')} text={t('people.notifications.placesText')}>
        {isPending ? (
          <LoadingRows rows={2} shape="text" />
        ) : isLoadingError ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : follows.length === 0 ? (
          <p>{t('people.notifications.none')}</p>
        ) : (
          <ul className="rows">
            {follows.map((follow) => (
              <FollowRow key={follow.target_id} follow={follow} />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

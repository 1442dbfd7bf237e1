import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import { api } from '../../../shared/api/index.ts';
import type { PendingInvitation } from '../../../shared/model/member.ts';
import { queryKeys } from '../../api/queries.ts';
import { navigate, useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Section } from '../../ui/Section.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { When } from '../../ui/When.tsx';
import { accountKeys, usePendingInvitations } from './queries.ts';
import { useVerification } from './useVerification.ts';

function InvitationRow({ invitation }: { readonly invitation: PendingInvitation }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const { shelf_name: shelf, library_name: library } = invitation;
  const answer = useMutation({
    mutationFn: (given: 'accept' | 'decline') =>
      client.call(api.members.answer, {
        params: { a: invitation.invitation_id, b: given },
        body: { library_name: library },
      }),
    onSuccess: async ({ state, library: where, shelf_id }) => {
      if (state === 'declined') {
        notify(t('people.invitations.declined', { shelf }));
        return;
      }
      notify(t('people.invitations.accepted', { shelf }));
      await queries.invalidateQueries({ queryKey: queryKeys.libraries });
      navigate(paths.shelf(where, shelf_id));
    },
    onError: (error) => notify(errorText(error), 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.invitations }),
  });
  return (
    <li>
      <span className="rows__main">
        <span className="rows__title">{t('people.invitations.to', { shelf, library })}</span>
        <span className="muted">
          {[
            ...(invitation.invited_by === '' ? [] : [t('people.invitations.by', { who: invitation.invited_by })]),
            t('people.invitations.as', { role: t(`shelf.${invitation.role}`) }),
          ].join(' · ')}
          {' · '}
          {t('people.invitations.ends')} <When moment={invitation.expires_at} />
        </span>
      </span>
      <span className="section__actions">
        <button
          type="button"
          className="button button--small"
          disabled={answer.isPending}
          onClick={() => answer.mutate('decline')}
        >
          {t('people.invitations.decline')}
        </button>
        <button
          type="button"
          className="button button--small button--primary"
          disabled={answer.isPending}
          onClick={() => answer.mutate('accept')}
        >
          {t('people.invitations.accept')}
        </button>
      </span>
    </li>
  );
}

/** Nobody sees what was sent to an address before it is known to be theirs. */
function Unverified({ email }: { readonly email: string }) {
  const { t } = useTranslation();
  const { resend, isPending } = useVerification();
  return (
    <div className="notice notice--warning section__row">
      <span>{t('people.invitations.verify', { email })}</span>
      <button type="button" className="button button--small" disabled={isPending} onClick={resend}>
        {t('people.profile.resend')}
      </button>
    </div>
  );
}

/** Invitations that wait for an answer, here also by the link of an invitation's mail. */
export function InvitationsTab() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const { data: invitations, error, isPending, isLoadingError, refetch } = usePendingInvitations();
  const linked = new URLSearchParams(useSearch()).get('invitation');
  if (user === null) return null;
  const isMissing =
    linked !== null &&
    user.email_verified &&
    invitations !== undefined &&
    !invitations.some(({ invitation_id }) => invitation_id === linked);
  return (
    <Section title={t('people.tabs.invitations')}>
      {!user.email_verified && <Unverified email={user.email} />}
      {isMissing && <p className="notice notice--warning">{t('people.invitations.missing', { email: user.email })}</p>}
      {isPending ? (
        <LoadingRows rows={2} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : invitations.length === 0 ? (
        user.email_verified && (
          <EmptyState
            icon={MailOpen}
            title={t('people.invitations.emptyTitle')}
            text={t('people.invitations.emptyText')}
          />
        )
      ) : (
        <ul className="rows">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.invitation_id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Section>
  );
}

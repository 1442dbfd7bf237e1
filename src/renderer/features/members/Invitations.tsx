import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, MailQuestionMark } from 'lucide-react';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { Shelf } from '../../../shared/model/library.ts';
import type { Invitation } from '../../../shared/model/member.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useNow } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { membersKey } from './queries.ts';

const TONES = {
  pending: 'info',
  accepted: 'accent',
  declined: 'warning',
  cancelled: 'plain',
  expired: 'warning',
} as const;

function InvitationRow({ invitation, shelf }: { readonly invitation: Invitation; readonly shelf: Shelf }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const isOver = Date.parse(invitation.expires_at) <= useNow();
  const state = invitation.state === 'pending' && isOver ? 'expired' : invitation.state;
  const who = invitation.email ?? invitation.username ?? '';
  const input = { params: { lib: shelf.library, id: shelf.id }, body: { invitation_id: invitation.invitation_id } };
  const act = useMutation({
    mutationFn: (action: 'resend' | 'cancel'): Promise<unknown> =>
      action === 'resend' ? client.call(api.members.resend, input) : client.call(api.members.cancel, input),
    onSuccess: (_, action) => notify(t(`people.members.${action === 'resend' ? 'resent' : 'cancelled'}`, { who })),
    onError: (error) =>
      notify(isAppError(error, 'throttled') ? t('people.members.throttled') : errorText(error), 'error'),
    // Also after a refusal: it may have been answered in the meantime.
    onSettled: () => queries.invalidateQueries({ queryKey: membersKey(shelf.id) }),
  });
  return (
    <li className="member">
      <span className="member__icon" aria-hidden="true">
        <MailQuestionMark />
      </span>
      <span className="member__text">
        <span className="member__name">{who}</span>
        <span className="member__facts">
          <span>{t(`shelf.${invitation.role}`)}</span>
          <span className={`badge badge--${TONES[state]}`}>{t(`people.members.states.${state}`)}</span>
          <When moment={invitation.answered_at ?? invitation.sent_at} />
        </span>
      </span>
      {invitation.state === 'pending' && (
        <Menu
          trigger={
            <button
              type="button"
              className="icon-button"
              aria-label={t('people.members.invitationActions', { who })}
              disabled={act.isPending}
            >
              <Ellipsis />
            </button>
          }
        >
          {!shelf.archived && <MenuItem onSelect={() => act.mutate('resend')}>{t('people.members.resend')}</MenuItem>}
          <MenuItem onSelect={() => act.mutate('cancel')}>{t('people.members.cancel')}</MenuItem>
        </Menu>
      )}
    </li>
  );
}

/** Invitations that are open or were answered lately, for the owner. */
export function Invitations({
  invitations,
  shelf,
}: {
  readonly invitations: readonly Invitation[];
  readonly shelf: Shelf;
}) {
  const { t } = useTranslation();
  if (invitations.length === 0) return null;
  return (
    <section className="members__part" aria-labelledby="shelf-invitations">
      <h3 id="shelf-invitations" className="members__title">
        {t('people.members.invitations')}
      </h3>
      <ul className="members__list">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.invitation_id} invitation={invitation} shelf={shelf} />
        ))}
      </ul>
    </section>
  );
}

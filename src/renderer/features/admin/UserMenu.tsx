import {
  Ban,
  Check,
  CreditCard,
  KeyRound,
  LogOut,
  MoreHorizontal,
  RotateCcw,
  ShieldMinus,
  ShieldPlus,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { AdminUser } from '../../../shared/model/admin.ts';
import type { PlanType } from '../../../shared/model/common.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../ui/Menu.tsx';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { PLAN_TYPES } from './planTypes.ts';
import { useAdminChange } from './queries.ts';

/** What is asked about before it is done. */
type Question = 'promote' | 'demote' | 'signOut' | 'disable' | 'remove';

/** The changes of one account, each followed by the words that say so. */
function useUserActions(user: AdminUser) {
  const { t } = useTranslation();
  const { client } = useServices();
  const own = useSession((state) => state.user);
  const setUser = useSession((state) => state.setUser);
  const errorText = useErrorText();
  const update = useAdminChange(api.admin.updateUser);
  const signOut = useAdminChange(api.admin.signOutUser);
  const remove = useAdminChange(api.admin.removeUser);
  const reset = useAdminChange(api.admin.resetPassword);
  const name = user.username || user.email;
  const params = { id: user.id };
  const done = (key: 'promoted' | 'demoted' | 'signedOut' | 'isDisabled' | 'enabled' | 'removed' | 'mailed') =>
    notify(t(`admin.users.${key}`, { name }));
  const failed = (error: unknown) => notify(errorText(error), 'error');
  const changePlan = async (plan_type: PlanType) => {
    await update.mutateAsync({ params, body: { plan_type } });
    notify(t('admin.users.planChanged', { name, plan: t(`plans.${PLAN_NAMES[plan_type]}`) }));
    // The limits of the own plan stand in the session.
    if (own?.user_id === user.id) setUser(await client.call(api.auth.userinfo, {}));
  };
  const answers: Readonly<Record<Question, () => Promise<void>>> = {
    promote: async () => {
      await update.mutateAsync({ params, body: { user_type: 0 } });
      done('promoted');
    },
    demote: async () => {
      await update.mutateAsync({ params, body: { user_type: 1 } });
      done('demoted');
    },
    signOut: async () => {
      await signOut.mutateAsync({ params });
      done('signedOut');
    },
    disable: async () => {
      await update.mutateAsync({ params, body: { disabled: true } });
      done('isDisabled');
    },
    remove: async () => {
      await remove.mutateAsync({ params });
      done('removed');
    },
  };
  return {
    name,
    isSelf: own?.user_id === user.id,
    answers,
    changePlan: (plan: PlanType) => void changePlan(plan).catch(failed),
    enable: () =>
      update.mutate({ params, body: { disabled: false } }, { onSuccess: () => done('enabled'), onError: failed }),
    mailPassword: () => reset.mutate({ params }, { onSuccess: () => done('mailed'), onError: failed }),
  };
}

/** What an administrator can do with an account. Nobody locks themselves out: the own account only changes its plan. */
export function UserMenu({ user }: { readonly user: AdminUser }) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState<Question | null>(null);
  const { name, isSelf, answers, changePlan, enable, mailPassword } = useUserActions(user);
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="icon-button" aria-label={t('admin.users.actionsOf', { name })}>
            <MoreHorizontal />
          </button>
        }
      >
        <MenuLabel>{t('admin.users.plan')}</MenuLabel>
        {PLAN_TYPES.map((plan) => (
          <MenuItem key={plan} disabled={plan === user.plan_type} onSelect={() => changePlan(plan)}>
            {plan === user.plan_type ? (
              <Check aria-label={t('admin.users.present')} />
            ) : (
              <CreditCard aria-hidden="true" />
            )}
            {t(`plans.${PLAN_NAMES[plan]}`)}
          </MenuItem>
        ))}
        {!isSelf && (
          <>
            <MenuLine />
            <MenuItem onSelect={() => setQuestion(user.user_type === 0 ? 'demote' : 'promote')}>
              {user.user_type === 0 ? <ShieldMinus aria-hidden="true" /> : <ShieldPlus aria-hidden="true" />}
              {user.user_type === 0 ? t('admin.users.demote') : t('admin.users.promote')}
            </MenuItem>
            <MenuItem onSelect={mailPassword}>
              <KeyRound aria-hidden="true" />
              {t('admin.users.mailPassword')}
            </MenuItem>
            <MenuItem onSelect={() => setQuestion('signOut')}>
              <LogOut aria-hidden="true" />
              {t('admin.users.signOut')}
            </MenuItem>
            <MenuLine />
            {user.disabled ? (
              <MenuItem onSelect={enable}>
                <RotateCcw aria-hidden="true" />
                {t('admin.users.enable')}
              </MenuItem>
            ) : (
              <MenuItem onSelect={() => setQuestion('disable')}>
                <Ban aria-hidden="true" />
                {t('admin.users.disable')}
              </MenuItem>
            )}
            <MenuItem onSelect={() => setQuestion('remove')}>
              <Trash2 aria-hidden="true" />
              {t('admin.users.remove')}
            </MenuItem>
          </>
        )}
      </Menu>
      {question !== null && (
        <ConfirmDialog
          title={t(`admin.users.${question}Title`, { name })}
          description={t(`admin.users.${question}Text`)}
          verb={t(`admin.users.${question}Verb`)}
          danger={question !== 'promote'}
          {...(question === 'remove' ? { typed: { label: t('people.typeName', { name }), text: name } } : {})}
          errorText={(error) => (isAppError(error, 'conflict') ? t('admin.users.lastAdmin') : null)}
          onConfirm={answers[question]}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}

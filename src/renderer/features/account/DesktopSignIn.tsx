import { useMutation } from '@tanstack/react-query';
import { MonitorCheck } from 'lucide-react';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { signInPage } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState } from '../../ui/States.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';

export interface DesktopSignInProps {
  /** The sign-in that the desktop application began. */
  readonly request: string;
}

/**
 * The desktop application sent the browser here to be signed in. It is asked about: whoever follows such a link without having
 * begun a sign-in hands nobody their account (decisions.md §12).
 */
export function DesktopSignIn({ request }: DesktopSignInProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const errorText = useErrorText();
  const user = useSession((state) => state.user);
  const confirm = useMutation({
    mutationFn: () => client.call(api.auth.completeDesktop, { body: { request } }),
    onSuccess: ({ redirect }) => location.assign(redirect),
  });
  useTitle(t('pages.desktop.title'));
  const names = { username: user?.username ?? '', email: user?.email ?? '' };
  return (
    <EmptyState icon={MonitorCheck} title={t('pages.desktop.title')} text={t('pages.desktop.text', names)} level={1}>
      {confirm.isError && (
        <p className="notice notice--danger" role="alert">
          {isAppError(confirm.error, 'gone') ? t('pages.desktop.ended') : errorText(confirm.error)}
        </p>
      )}
      <a className="button" href={signInPage(request)}>
        {t('pages.desktop.other')}
      </a>
      <button
        type="button"
        className="button button--primary"
        onClick={() => confirm.mutate()}
        disabled={confirm.isPending || confirm.isSuccess}
      >
        {t('pages.desktop.confirm')}
      </button>
    </EmptyState>
  );
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../shared/api/index.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { accountKeys } from './queries.ts';

/** Sends the mail again whose link verifies the address, and notices when somebody comes back from following it. */
export function useVerification() {
  const { t } = useTranslation();
  const { client } = useServices();
  const errorText = useErrorText();
  const user = useSession((state) => state.user);
  const setUser = useSession((state) => state.setUser);
  const { data: fresh } = useQuery({
    queryKey: accountKeys.user,
    queryFn: ({ signal }) => client.call(api.auth.userinfo, {}, { signal }),
    enabled: user?.email_verified === false,
    refetchOnWindowFocus: 'always',
  });
  useEffect(() => {
    if (fresh?.email_verified === true) setUser(fresh);
  }, [fresh, setUser]);
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.call(api.account.resendVerification, {}),
    onSuccess: () => notify(t('people.profile.resent', { email: user?.email ?? '' })),
    onError: (error) => notify(errorText(error), 'error'),
  });
  return { resend: () => mutate(), isPending };
}

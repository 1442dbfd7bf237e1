import { useEffect, useState } from 'react';
import { useServices, useSession } from '../../app/services.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

/** Signs in through the platform, and says when that does not work. */
export function useSignIn(): { readonly start: () => void; readonly isStarting: boolean } {
  const { platform } = useServices();
  const takeReturn = useSession((state) => state.takeReturn);
  const errorText = useErrorText();
  const [isStarting, setStarting] = useState(false);
  useEffect(() => {
    // The browser shows the page again as it was left for the sign-in page.
    const onShown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setStarting(false);
    };
    addEventListener('pageshow', onShown);
    return () => removeEventListener('pageshow', onShown);
  }, []);
  const start = () => {
    setStarting(true);
    platform.session.signIn(takeReturn()).catch((error: unknown) => {
      setStarting(false);
      notify(errorText(error), 'error');
    });
  };
  return { start, isStarting };
}

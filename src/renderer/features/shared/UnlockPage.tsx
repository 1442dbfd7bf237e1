import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LockKeyhole, Mail } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { CallInput, CallOutput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { isEmail } from '../../../shared/rules/email.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Field } from '../../ui/Field.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { useAsked, useLinkState } from './shared.ts';
import './shared.css';

type State = CallOutput<typeof api.sharing.unlock>['state'];
type Step = Exclude<State, 'open'>;
type Proof = NonNullable<CallInput<typeof api.sharing.unlock>['body']>;

const CODE = /^\d{6}$/u;

interface StepFormProps {
  readonly link: string;
  readonly step: Step;
  /** The address that the code was sent to. */
  readonly email: string;
  readonly onState: (state: State, email: string) => void;
}

/** What one step asks for, and how it is sent. */
function useStep({ step, email }: StepFormProps) {
  const { t } = useTranslation();
  const steps = {
    'password-required': {
      title: t('sharing.askPassword'),
      text: t('sharing.askPasswordText'),
      label: t('sharing.password'),
      submit: t('sharing.open'),
      wrong: t('sharing.wrongPassword'),
      input: { type: 'password', autoComplete: 'current-password', maxLength: LIMITS.passwordMaxLength },
      proofOf: (value: string): Proof | null => (value === '' ? null : { password: value }),
    },
    'email-required': {
      title: t('sharing.askEmail'),
      text: t('sharing.askEmailText'),
      label: t('sharing.email'),
      submit: t('sharing.sendCode'),
      wrong: t('sharing.invalidEmail'),
      input: { type: 'email', autoComplete: 'email', maxLength: 254 },
      proofOf: (value: string): Proof | null => (isEmail(value) ? { email: value } : null),
    },
    'code-required': {
      title: t('sharing.askCode'),
      text: t('sharing.askCodeText', { email }),
      label: t('sharing.code'),
      submit: t('sharing.open'),
      wrong: t('sharing.wrongCode'),
      input: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 6 },
      proofOf: (value: string): Proof | null => (CODE.test(value) ? { email, code: value } : null),
    },
  } as const;
  return steps[step];
}

function StepForm(props: StepFormProps) {
  const { link, step, email, onState } = props;
  const { t } = useTranslation();
  const { client } = useServices();
  const errorText = useErrorText();
  const { title, text, label, submit, wrong, input, proofOf } = useStep(props);
  const [value, setValue] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  useTitle(title);
  const send = useMutation({
    mutationFn: (body: Proof) => client.call(api.sharing.unlock, { params: { link }, body }),
    onSuccess: ({ state }, body) => onState(state, body.email ?? email),
  });
  const isLeaving = useLinkState(isAppError(send.error, 'password-required') ? null : send.error, link);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const proof = proofOf(step === 'password-required' ? value : value.trim());
    setInvalid(proof === null);
    if (proof !== null && !send.isPending) send.mutate(proof);
  };
  const isWrong = isAppError(send.error, 'credentials-invalid');
  const error = isInvalid || isWrong ? wrong : send.error === null || isLeaving ? undefined : errorText(send.error);
  const Icon = step === 'password-required' ? LockKeyhole : Mail;
  return (
    <form className="unlock card" onSubmit={onSubmit} noValidate>
      <span className="state__icon" aria-hidden="true">
        <Icon />
      </span>
      <h1 className="unlock__title">{title}</h1>
      <p className="muted unlock__text">{text}</p>
      <Field
        {...input}
        label={label}
        value={value}
        onChange={({ target }) => {
          setValue(target.value);
          setInvalid(false);
        }}
        autoFocus
        error={error}
      />
      <button type="submit" className="button button--primary" disabled={send.isPending}>
        {submit}
      </button>
      {step === 'code-required' && (
        <button type="button" className="button button--quiet" onClick={() => onState('email-required', '')}>
          {t('sharing.otherEmail')}
        </button>
      )}
    </form>
  );
}

/** `/shared/{link}/password-required`: a password, or an address that is proven by a code, before a link opens. */
export function UnlockPage({ link }: { readonly link: string }) {
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useAsked(link);
  const [reached, setReached] = useState<{ readonly state: State; readonly email: string } | null>(null);
  const isLeaving = useLinkState(error, link);
  const state = reached?.state ?? data?.state;
  useEffect(() => {
    if (state !== 'open') return;
    void queries.resetQueries({ queryKey: ['shared', link], exact: true });
    navigate(paths.shared(link) + location.search, { replace: true });
  }, [state, link, queries]);
  if (isPending || isLeaving || state === 'open') return <LoadingRows rows={3} />;
  if (state === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <StepForm
      key={state}
      link={link}
      step={state}
      email={reached?.email ?? ''}
      onState={(next, email) => setReached({ state: next, email })}
    />
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { CallOutput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Section } from '../../ui/Section.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { accountKeys, useSecondStep } from './queries.ts';

type Setup = CallOutput<typeof api.account.startSecondStep>;
/** Below this many, new recovery codes are advised. */
const FEW_CODES = 4;
const CODES_FILE = 'recovery-codes.txt';

/** An object URL while the component is mounted. */
function useObjectUrl(content: string, type: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content, type]);
  return url;
}

interface EnableDialogProps {
  readonly setup: Setup;
  readonly onEnabled: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Shows the key for an authenticator app; a code of the app proves that it arrived there. */
function EnableDialog({ setup, onEnabled, onClose }: EnableDialogProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const errorText = useErrorText();
  const formId = useId();
  const [code, setCode] = useState('');
  const image = useObjectUrl(setup.qr_svg, 'image/svg+xml');
  const enable = useMutation({
    mutationFn: () => client.call(api.account.enableSecondStep, { body: { code: code.replace(/\s/gu, '') } }),
    onSuccess: ({ recovery_codes }) => onEnabled(recovery_codes),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '' && !enable.isPending) enable.mutate();
  };
  const problem = isAppError(enable.error, 'credentials-invalid')
    ? t('people.second.wrongCode')
    : enable.isError
      ? errorText(enable.error)
      : undefined;
  return (
    <Dialog
      title={t('people.second.enableTitle')}
      description={t('people.second.enableText')}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button
            type="submit"
            form={formId}
            className="button button--primary"
            disabled={code.trim() === '' || enable.isPending}
          >
            {t('people.second.enable')}
          </button>
        </>
      }
    >
      <div className="second-step">
        {image !== undefined && <img className="second-step__code" src={image} alt={t('people.second.qrAlt')} />}
        <div>
          <p className="muted">{t('people.second.keyText')}</p>
          <p className="second-step__key mono">{setup.secret.replace(/(.{4})(?=.)/gu, '$1 ')}</p>
        </div>
      </div>
      <form id={formId} onSubmit={submit} noValidate>
        <Field
          label={t('people.second.code')}
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            enable.reset();
          }}
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={t('people.second.codeHint')}
          error={problem}
          autoFocus
        />
      </form>
    </Dialog>
  );
}

/** The recovery codes, which nobody shows a second time. */
function RecoveryDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const text = `${codes.join('\n')}\n`;
  const file = useObjectUrl(text, 'text/plain');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notify(t('common.copied')),
      () => notify(t('people.second.notCopied'), 'error'),
    );
  return (
    <Dialog
      title={t('people.second.recoveryTitle')}
      description={t('people.second.recoveryText')}
      onClose={onClose}
      insistent
      actions={
        <>
          <button type="button" className="button" onClick={() => void copy()}>
            <Copy />
            {t('people.second.copy')}
          </button>
          {file !== undefined && (
            <a className="button" href={file} download={CODES_FILE}>
              <Download />
              {t('common.download')}
            </a>
          )}
          <button type="button" className="button button--primary" onClick={onClose}>
            {t('people.second.kept')}
          </button>
        </>
      }
    >
      <ul className="recovery">
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function DisableDialog({ onDisabled, onClose }: { readonly onDisabled: () => void; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const errorText = useErrorText();
  const formId = useId();
  const [proof, setProof] = useState('');
  const disable = useMutation({
    mutationFn: () => client.call(api.account.disableSecondStep, { body: { proof } }),
    onSuccess: onDisabled,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (proof !== '' && !disable.isPending) disable.mutate();
  };
  const problem = isAppError(disable.error, 'credentials-invalid')
    ? t('people.second.wrongProof')
    : disable.isError
      ? errorText(disable.error)
      : undefined;
  return (
    <Dialog
      title={t('people.second.disableTitle')}
      description={t('people.second.disableText')}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button
            type="submit"
            form={formId}
            className="button button--danger"
            disabled={proof === '' || disable.isPending}
          >
            {t('people.second.disable')}
          </button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field
          label={t('people.second.proof')}
          type="password"
          value={proof}
          onChange={(event) => {
            setProof(event.target.value);
            disable.reset();
          }}
          autoComplete="current-password"
          error={problem}
          autoFocus
        />
      </form>
    </Dialog>
  );
}

type Step =
  | { readonly kind: 'setup'; readonly setup: Setup }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }
  | { readonly kind: 'off' };

/** The second step of signing in, by an authenticator app. */
export function SecondStep() {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const { data: status, error, isPending, isLoadingError, refetch } = useSecondStep();
  const [step, setStep] = useState<Step | null>(null);
  const close = () => setStep(null);
  const changed = () => queries.invalidateQueries({ queryKey: accountKeys.secondStep });
  const start = useMutation({
    mutationFn: () => client.call(api.account.startSecondStep, {}),
    onSuccess: (setup) => setStep({ kind: 'setup', setup }),
    onError: (thrown) => {
      notify(errorText(thrown), 'error');
      void changed();
    },
  });
  return (
    <Section title={t('people.second.title')} text={t('people.second.text')}>
      {isPending ? (
        <LoadingRows rows={1} shape="text" />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : status.enabled ? (
        <div className="section__row">
          <span>
            <span className="badge badge--accent">{t('people.second.on')}</span>{' '}
            {t('people.second.codesLeft', { count: status.recovery_codes_left })}
            {status.recovery_codes_left < FEW_CODES && ` ${t('people.second.fewCodes')}`}
          </span>
          <button type="button" className="button button--danger" onClick={() => setStep({ kind: 'off' })}>
            {t('people.second.disable')}
          </button>
        </div>
      ) : (
        <div>
          <button type="button" className="button" disabled={start.isPending} onClick={() => start.mutate()}>
            {t('people.second.setUp')}
          </button>
        </div>
      )}
      {step?.kind === 'setup' && (
        <EnableDialog
          setup={step.setup}
          onEnabled={(codes) => {
            setStep({ kind: 'codes', codes });
            void changed();
          }}
          onClose={close}
        />
      )}
      {step?.kind === 'codes' && <RecoveryDialog codes={step.codes} onClose={close} />}
      {step?.kind === 'off' && (
        <DisableDialog
          onDisabled={() => {
            close();
            notify(t('people.second.disabled'));
            void changed();
          }}
          onClose={close}
        />
      )}
    </Section>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Settings, SettingsChange } from '../../../shared/model/settings.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { SecretField } from './SecretField.tsx';

type Provider = Settings['providers'][number];
export type ProviderChange = NonNullable<SettingsChange['providers']>[number];

const MICROSOFT_ISSUER = 'https://login.microsoftonline.com/tenant-id/v2.0';
/** Where the named providers are; `oidc` is any other one, and at Microsoft each tenant has an address of its own. */
const KNOWN: Readonly<Record<Provider['id'], { readonly label: string; readonly issuer: string }>> = {
  google: { label: 'Google', issuer: 'https://accounts.google.com' },
  microsoft: { label: 'Microsoft', issuer: '' },
  apple: { label: 'Apple', issuer: 'https://appleid.apple.com' },
  oidc: { label: '', issuer: '' },
};
export const PROVIDER_IDS = ['google', 'microsoft', 'apple', 'oidc'] as const satisfies readonly Provider['id'][];

export interface ProviderDialogProps {
  /** Null adds one of those that are free. */
  readonly provider: Provider | null;
  readonly free: readonly Provider['id'][];
  readonly onSave: (provider: ProviderChange) => Promise<void>;
  readonly onClose: () => void;
}

/** One provider that people may sign in with. */
export function ProviderDialog({ provider, free, onSave, onClose }: ProviderDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const formId = useId();
  const kindId = useId();
  const firstFree = free[0] ?? 'oidc';
  const [form, setForm] = useState({
    id: provider?.id ?? firstFree,
    label: provider?.label ?? KNOWN[firstFree].label,
    issuer: provider?.issuer ?? KNOWN[firstFree].issuer,
    client_id: provider?.client_id ?? '',
    client_secret: '',
  });
  const [isTried, setTried] = useState(false);
  const change = (some: Partial<typeof form>) => setForm((before) => ({ ...before, ...some }));
  const save = useMutation({
    mutationFn: () => {
      const { client_secret, ...rest } = form;
      return onSave(client_secret === '' ? rest : { ...rest, client_secret });
    },
    onSuccess: onClose,
  });
  const isSecretMissing = form.client_secret === '' && provider?.has_secret !== true;
  const isIssuer = URL.canParse(form.issuer) && /^https?:/u.test(form.issuer);
  const missing = (isMissing: boolean) => (isTried && isMissing ? t('admin.settings.missing') : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const isComplete = form.label.trim() !== '' && isIssuer && form.client_id !== '' && !isSecretMissing;
    if (isComplete && !save.isPending) save.mutate();
  };
  return (
    <Dialog
      title={
        provider === null ? t('admin.settings.addProvider') : t('admin.settings.editProvider', { name: provider.label })
      }
      description={t('admin.settings.redirect', { address: `${location.origin}/accounts/${form.id}/callback/` })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" form={formId} className="button button--primary" disabled={save.isPending}>
            {t('people.save')}
          </button>
        </>
      }
    >
      <form id={formId} className="admin-form" onSubmit={submit} noValidate>
        {provider === null && (
          <div className="field">
            <label className="field__label" htmlFor={kindId}>
              {t('admin.settings.provider')}
            </label>
            <select
              id={kindId}
              className="input select"
              value={form.id}
              onChange={({ target }) => {
                const id = free.find((each) => each === target.value) ?? firstFree;
                change({ id, ...KNOWN[id] });
              }}
            >
              {free.map((id) => (
                <option key={id} value={id}>
                  {KNOWN[id].label || t('admin.settings.otherProvider')}
                </option>
              ))}
            </select>
          </div>
        )}
        <Field
          label={t('admin.settings.label')}
          hint={t('admin.settings.labelHint')}
          value={form.label}
          maxLength={60}
          error={missing(form.label.trim() === '')}
          onChange={({ target }) => change({ label: target.value })}
        />
        <Field
          label={t('admin.settings.issuer')}
          type="url"
          placeholder={form.id === 'microsoft' ? MICROSOFT_ISSUER : 'https://'}
          value={form.issuer}
          maxLength={500}
          error={isTried && !isIssuer ? t('admin.settings.badIssuer') : undefined}
          onChange={({ target }) => change({ issuer: target.value.trim() })}
        />
        <Field
          label={t('admin.settings.clientId')}
          value={form.client_id}
          maxLength={500}
          autoComplete="off"
          error={missing(form.client_id === '')}
          onChange={({ target }) => change({ client_id: target.value.trim() })}
        />
        <SecretField
          label={t('admin.settings.clientSecret')}
          isSet={provider?.has_secret ?? false}
          value={form.client_secret}
          maxLength={5000}
          error={missing(isSecretMissing)}
          onChange={(client_secret) => change({ client_secret })}
        />
      </form>
      {save.isError && (
        <p className="notice notice--danger" role="alert">
          {errorText(save.error)}
        </p>
      )}
    </Dialog>
  );
}

import { useState } from 'react';
import { Link } from 'wouter';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useShellState } from '../../app/shellState.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { IndexCapability, ServerCapability, ShellSession } from '../../platform/types.ts';
import { Appearance } from '../../ui/Appearance.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { LocalFolders, useWorkspace, WorkspaceFolder } from './Folders.tsx';
import { IgnoreRules } from './IgnoreRules.tsx';
import { IndexState } from './IndexCard.tsx';
import { Privacy } from './Privacy.tsx';
import { UpdateSection } from './updates/UpdateSection.tsx';
import './desktop.css';

function Account() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const signOut = useSession((state) => state.signOut);
  if (user === null) return null;
  return (
    <Section title={t('settings.account')}>
      <div className="section__row">
        <span className="folder">
          <Avatar name={user.name || user.username} username={user.username} large />
          <span>
            <strong>{user.name}</strong>
            <br />
            <span className="muted">{user.email}</span>
          </span>
        </span>
        <span className="section__actions">
          <Link href={paths.settings} className="button">
            {t('people.accountSettings')}
          </Link>
          <button type="button" className="button" onClick={() => void signOut()}>
            {t('settings.signOut')}
          </button>
        </span>
      </div>
    </Section>
  );
}

function ServerSection({ server }: { readonly server: ServerCapability }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { value: state } = useShellState(server);
  const signOut = useSession((session) => session.signOut);
  if (state === null) return null;
  const texts = {
    none: t('settings.serverNone'),
    local: t('settings.serverLocal'),
    remote: t('settings.serverRemote', { url: state.url ?? '' }),
  };
  const leave = async () => {
    await signOut();
    await server.disconnect();
  };
  return (
    <Section title={t('settings.server')}>
      <div className="section__row">
        <span className="rows__main">
          <strong>{texts[state.mode]}</strong>
          <span className="muted">{t('settings.disconnectText')}</span>
        </span>
        <button
          type="button"
          className="button"
          onClick={() => void leave().catch((error: unknown) => notify(errorText(error), 'error'))}
        >
          {t('settings.disconnect')}
        </button>
      </div>
    </Section>
  );
}

function IndexSection({ index }: { readonly index: IndexCapability }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isAsking, setAsking] = useState(false);
  const rebuild = () => {
    setAsking(false);
    index.rebuild().catch((error: unknown) => notify(errorText(error), 'error'));
  };
  return (
    <Section title={t('settings.index')}>
      <IndexState />
      <div>
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {t('settings.rebuild')}
        </button>
      </div>
      {isAsking && (
        <Dialog
          title={t('settings.rebuildTitle')}
          description={t('settings.rebuildText')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <button type="button" className="button" onClick={() => setAsking(false)}>
                {t('common.cancel')}
              </button>
              <button type="button" className="button button--primary" onClick={rebuild}>
                {t('settings.rebuild')}
              </button>
            </>
          }
        />
      )}
    </Section>
  );
}

function TokenSection({ shell }: { readonly shell: ShellSession }) {
  const { t } = useTranslation();
  const { value: state } = useShellState(shell);
  if (state === null) return null;
  const texts = {
    keyring: t('settings.tokensKeyring'),
    'safe-storage': t('settings.tokensSafeStorage'),
    memory: t('settings.tokensMemory'),
  };
  return (
    <Section title={t('settings.tokens')}>
      <p className={state.storage === 'memory' ? 'notice notice--warning' : undefined}>{texts[state.storage]}</p>
    </Section>
  );
}

/** Settings of this computer: a section for each thing that the shell has. Those of the account have a screen of their own. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { platform } = useServices();
  const workspace = useWorkspace();
  const { server, index } = platform;
  const { shell } = platform.session;
  useTitle(t('settings.title'));
  return (
    <div className="page page--prose">
      <h1 className="page__title serif">{t('settings.title')}</h1>
      <div className="sections">
        {server !== null && <ServerSection server={server} />}
        {workspace !== null && (
          <>
            <Section title={t('settings.workspace')} text={t('settings.workspaceText')}>
              <WorkspaceFolder workspace={workspace} />
            </Section>
            <Section title={t('settings.localFolders')} text={t('settings.localFoldersText')}>
              <LocalFolders workspace={workspace} />
            </Section>
            <IgnoreRules workspace={workspace} />
          </>
        )}
        {index !== null && <IndexSection index={index} />}
        <UpdateSection />
        <Appearance />
        <Privacy />
        {shell !== null && <TokenSection shell={shell} />}
        <Account />
      </div>
    </div>
  );
}

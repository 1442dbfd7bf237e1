import { Link } from 'wouter';
import type { Version } from '../../../shared/model/library.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';

export interface VersionSideProps {
  readonly label: string;
  readonly version: Version;
  readonly versions: readonly Version[];
  readonly address: string;
  readonly onChoose: (versionId: string) => void;
}

/** One of the two versions: which, by whom and when, and another to choose in its place. */
export function VersionSide({ label, version, versions, address, onChoose }: VersionSideProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = ({ number, label: given, created_at }: Version) =>
    given === null
      ? t('files.compareOption', { number, when: formats.dateTime(created_at) })
      : t('files.compareOptionLabel', { number, label: given });
  const others = versions.some(({ id }) => id === version.id) ? versions : [version, ...versions];
  return (
    <div className="compare__side card">
      <select
        className="input select compare__choice"
        aria-label={label}
        value={version.id}
        onChange={(event) => onChoose(event.target.value)}
      >
        {others.map((each) => (
          <option key={each.id} value={each.id}>
            {nameOf(each)}
          </option>
        ))}
      </select>
      <p className="compare__message">{version.commit_message || t('shelf.noMessage')}</p>
      <p className="compare__facts muted">
        <Avatar name={version.author} />
        <span className="truncated">{version.author}</span>
        <When moment={version.created_at} />
        <span className="nowrap">{formats.size(version.size)}</span>
        <Link href={address} className="text-link">
          {t('files.open')}
        </Link>
      </p>
    </div>
  );
}

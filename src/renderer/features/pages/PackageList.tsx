import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FilterField } from '../../ui/FilterField.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';

/** Written by the build beside the page (scripts/packages.mjs). */
const LIST = '/packages.json';
const Packages = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      license: z.string(),
      homepage: z.string().nullable(),
      /** Place in `texts`, of which many packages have the same. */
      text: z.number().int().nullable(),
    }),
  ),
  texts: z.array(z.string()),
});
type Packages = z.infer<typeof Packages>;

async function fetchPackages(signal: AbortSignal): Promise<Packages> {
  try {
    const response = await fetch(LIST, { signal });
    return Packages.parse(await response.json());
  } catch (error) {
    throw new AppError('server-unreachable', 'the list of packages could not be loaded', { cause: error });
  }
}

interface PackageRowProps {
  readonly entry: Packages['packages'][number];
  readonly text: string | undefined;
}

function PackageRow({ entry: { name, version, license, homepage }, text }: PackageRowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="package">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <ChevronRight className="package__chevron" aria-hidden="true" />
          <span className="package__name">{name}</span> <span className="muted">{version}</span>
          <span className="badge">{license}</span>
        </summary>
        {homepage !== null && (
          <p>
            <a className="text-link" href={homepage} target="_blank" rel="noreferrer">
              {homepage}
            </a>
          </p>
        )}
        {/* Hundreds of long texts are drawn only when they are asked for. */}
        {isOpen && <pre className="package__text">{text ?? t('pages.noLicenseText', { license })}</pre>}
      </details>
    </li>
  );
}

/** Every package that ships, with its licence. */
export function PackageList() {
  const { t } = useTranslation();
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter.trim().toLowerCase());
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['packages that ship'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => fetchPackages(signal),
  });
  if (isPending) return <LoadingRows shape="text" />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const shown = data.packages.filter(({ name, license }) => `${name} ${license}`.toLowerCase().includes(wanted));
  return (
    <>
      <div className="packages__tools">
        <FilterField label={t('pages.filterPackages')} value={filter} onChange={setFilter} />
        <span className="muted nowrap" role="status">
          {t('pages.packages', { count: shown.length })}
        </span>
      </div>
      <ul className="packages card">
        {shown.map((entry) => (
          <PackageRow
            key={`${entry.name} ${entry.version}`}
            entry={entry}
            text={entry.text === null ? undefined : data.texts[entry.text]}
          />
        ))}
      </ul>
    </>
  );
}

import { BookMarked } from 'lucide-react';
import { useId } from 'react';
import type { Checkout } from '../../../../shared/model/workspace.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CheckoutButton } from './CheckoutButton.tsx';

/** Shelves that are kept here and stand in none of the libraries above, so that nobody is left wondering. */
export function KeptElsewhere({ checkouts }: { readonly checkouts: readonly Checkout[] }) {
  const { t } = useTranslation();
  const id = useId();
  if (checkouts.length === 0) return null;
  return (
    <section className="kept-elsewhere" aria-labelledby={id}>
      <h3 id={id} className="overview__title">
        {t('checkouts.elsewhereTitle')}
      </h3>
      <ul>
        {checkouts.map((checkout) => (
          <li key={checkout.folder} className="overview__row">
            <span className="overview__shelf overview__shelf--still">
              <BookMarked aria-hidden="true" />
              <span className="truncated" title={checkout.folder}>
                {checkout.library} / {checkout.shelf}
              </span>
            </span>
            <CheckoutButton checkout={checkout} hasFolder={false} />
          </li>
        ))}
      </ul>
    </section>
  );
}

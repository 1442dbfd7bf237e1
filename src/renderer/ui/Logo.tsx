import icon from '../../../resources/icons/armarium.svg';
import './logo.css';

/** The product's mark. Decorative: the name stands beside it. */
export function Logo({ large = false }: { readonly large?: boolean }) {
  return <img className={large ? 'logo logo--large' : 'logo'} src={icon} alt="" draggable={false} />;
}

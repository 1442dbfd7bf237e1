import { PhoneLayout } from '../layouts/phone/PhoneLayout.tsx';
import { startInBrowser } from './startInBrowser.ts';

void startInBrowser(PhoneLayout);

import { WebLayout } from '../layouts/web/WebLayout.tsx';
import { startInBrowser } from './startInBrowser.ts';

void startInBrowser(WebLayout);

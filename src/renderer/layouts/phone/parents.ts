import { paths, type RouteMatch } from '../../app/routes.ts';

/** Where a detail page leads back to; null for the screens that the menu leads to, which have nothing above them. */
export function parentOf(route: RouteMatch): string | null {
  switch (route.name) {
    case 'library-settings':
    case 'shelf':
      return paths.library(route.library);
    case 'upload':
    case 'shelf-settings':
    case 'commits':
    case 'share':
    case 'version':
      return paths.shelf(route.library, route.shelfId);
    case 'share-statistics':
      return paths.share(route.library, route.shelfId);
    case 'plans':
    case 'billing':
      return paths.settings;
    case 'page':
    case 'expired':
    case 'not-found':
    case 'shared-closed':
      return paths.home;
    case 'shared-locked':
    case 'home':
    case 'callback':
    case 'redirect':
    case 'search':
    case 'settings':
    case 'favorites':
    case 'trash':
    case 'receive':
    case 'library':
    case 'shared':
    case 'dashboard':
    case 'desktop-home':
    case 'desktop-main':
    case 'desktop-settings':
      return null;
  }
}

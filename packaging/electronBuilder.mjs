/**
 * How the desktop application is packed: `npm run package` after `npm run build`. electron-builder reads it, and sets the
 * fuses of the runtime before it signs (docs/architecture.md, "The shell").
 */
import brand from '../resources/brand.json' with { type: 'json' };

/** What this runtime can do that the application never needs is switched off in the binary itself. */
export const fuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

/** What the application takes by "Open with"; it is the first choice for none of it. */
const MIME_TYPES = [
  'application/pdf',
  'text/plain',
  'text/markdown',
  'text/html',
  'message/rfc822',
  'application/rtf',
  'application/epub+zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
];

export default {
  appId: brand.identifier,
  productName: brand.name,
  copyright: `© ${brand.company}`,
  directories: { output: 'dist', buildResources: 'packaging' },
  files: ['out/**', 'resources/**', 'package.json', '!**/*.map'],
  asar: true,
  // Prebuilt by their packages, the same for Node and Electron.
  npmRebuild: false,
  electronFuses: fuses,
  electronLanguages: ['en', 'de'],
  icon: 'resources/icons/armarium.png',
  protocols: [{ name: brand.name, schemes: [brand.protocol] }],
  mac: {
    category: 'public.app-category.productivity',
    hardenedRuntime: true,
    target: ['dmg', 'zip'],
    extendInfo: {
      CFBundleDocumentTypes: [
        {
          CFBundleTypeName: 'Document',
          CFBundleTypeRole: 'Viewer',
          LSHandlerRank: 'Alternate',
          LSItemContentTypes: ['public.data'],
        },
      ],
    },
  },
  win: { target: ['nsis'] },
  linux: {
    category: 'Office',
    mimeTypes: MIME_TYPES,
    target: ['AppImage', 'deb', 'rpm', 'tar.gz'],
  },
};

import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/server/http/openapi.ts';
import { api, streams } from '../../../src/shared/api/index.ts';

/** Every call that the two specifications name, with abbreviated paths written out. */
const NAMED = [
  ['POST', '/auth/v1/initiate/'],
  ['GET', '/auth/v1/initiate/electron'],
  ['POST', '/auth/v1/verify/'],
  ['POST', '/auth/v1/token/'],
  ['POST', '/auth/v1/social/'],
  ['POST', '/auth/v1/token/refresh/'],
  ['POST', '/auth/v1/token/revoke/'],
  ['GET', '/auth/v1/status/'],
  ['GET', '/auth/v1/userinfo/'],
  ['POST', '/auth/v1/change-password/'],
  ['POST', '/auth/v1/complete-signup/'],
  ['DELETE', '/api/v1/users/delete/'],
  ['GET', '/api/v1/libraries/'],
  ['GET', '/api/v1/libraries/library-and-shelf-info/'],
  ['GET', '/api/v1/libraries/{name}'],
  ['POST', '/api/v1/libraries/create/'],
  ['DELETE', '/api/v1/libraries/{name}/delete/'],
  ['PUT', '/api/v1/libraries/{name}/update/'],
  ['GET', '/api/v1/libraries/check-library-name/'],
  ['POST', '/api/v1/libraries/{name}/archive/'],
  ['GET', '/api/v1/libraries/{name}/shelf-count/'],
  ['GET', '/api/v1/library/{lib}/list/'],
  ['POST', '/api/v1/library/{lib}/create/'],
  ['DELETE', '/api/v1/library/{lib}/shelf/{id}/delete/'],
  ['PUT', '/api/v1/library/{lib}/shelf/{id}/update/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/archive/'],
  ['GET', '/api/v1/library/{lib}/shelf/check-name/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/info/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/detail/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/comments/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/comments/'],
  ['DELETE', '/api/v1/library/{lib}/shelf/{id}/comments/{cid}/delete/'],
  ['PUT', '/api/v1/library/{lib}/shelf/{id}/comments/{cid}/update/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/mark-read/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/has-unread-comments/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/commits/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/document-version-info/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/latest-documents-version-and-commit/'],
  ['DELETE', '/api/v1/version/{id}/comments/{cid}/delete/'],
  ['GET', '/api/v1/version/{id}/'],
  ['GET', '/api/v1/version/{id}/content/'],
  ['GET', '/api/v1/version/{id}/content/presigned-url/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/upload/info/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/upload/ready/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/upload/conflict/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/report/version/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/presigned-url/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/complete-multipart-upload/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/failed-document-version/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/delete-document-version/'],
  ['POST', '/api/v1/documents/{id}/delete/'],
  ['GET', '/api/v1/documents/{id}/export'],
  ['GET', '/api/v1/documents/{id}/{x}/export'],
  ['GET', '/api/v1/documents/{id}/download'],
  ['GET', '/api/v1/versioned-document/{id}/download'],
  ['GET', '/api/v1/documents/{id}/history/'],
  ['GET', '/api/v1/deleted-documents/'],
  ['POST', '/api/v1/deleted-documents/{id}/restore/'],
  ['DELETE', '/api/v1/deleted-documents/{id}/delete/'],
  ['GET', '/api/v1/library/{lib}/shelf/{id}/members/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/members/invite/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/members/remove/'],
  ['POST', '/api/v1/library/{lib}/shelf/{id}/members/cancel/'],
  ['POST', '/api/v1/invitations/{a}/{b}/'],
  ['GET', '/api/v1/invitations/pending-invitations/'],
  ['GET', '/api/v1/notifications/count/'],
  ['GET', '/api/v1/notifications/'],
  ['POST', '/api/v1/notifications/{id}/mark_as_read/'],
  ['POST', '/api/v1/notifications/mark_all_as_read/'],
  ['GET', '/api/v1/notifications/service-notices-list/'],
  ['GET', '/api/v1/notifications/service-notices/'],
  ['POST', '/api/v1/notifications/service-notices/'],
  ['PUT', '/api/v1/notifications/service-notices/{id}/'],
  ['DELETE', '/api/v1/notifications/service-notices/{id}/'],
  ['GET', '/api/v1/appinfo/app-versions/'],
  ['POST', '/api/v1/appinfo/app-versions/'],
  ['PUT', '/api/v1/appinfo/app-versions/{id}/'],
  ['DELETE', '/api/v1/appinfo/app-versions/{id}/'],
  ['GET', '/api/v1/appinfo/app-versions/latest'],
  ['GET', '/api/v1/appinfo/app-versions/{version}/release-notes/'],
] as const;

/** Parameters have names of their own in the contract. */
const shape = (path: string) => path.replace(/\{\w+\}/gu, '{}');

describe('the OpenAPI document', () => {
  const { paths } = openApiDocument(api, streams) as { paths: Record<string, Record<string, unknown>> };
  const known = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${shape(path)}`),
    ),
  );
  it.each(NAMED)('has %s %s', (method, path) => {
    expect(known.has(`${method} ${shape(path)}`)).toBe(true);
  });
});

import { z } from 'zod';
import { Id, Timestamp } from '../model/common.ts';
import { Notification } from '../model/notification.ts';
import { call } from './call.ts';

const status = z.literal('success');
const followParams = z.object({ kind: z.enum(['shelf', 'document']), id: Id });
const Follow = z.object({
  kind: z.enum(['shelf', 'document']),
  target_id: Id,
  mode: z.enum(['follow', 'mute']),
  created_at: Timestamp,
});

/**
 * The live stream of events (decisions.md §11). `read` is also its first event, after which nothing is missed. A client that
 * comes back with the id of the last event is told what it missed; after a burst it may be told some twice.
 */
export const NOTIFICATION_STREAM = '/api/v1/notifications/stream/';

/** What comes on the live stream, by the name of the event. */
export const NOTIFICATION_EVENTS = {
  notification: z.object({ notification: Notification, unread_count: z.number().int() }),
  read: z.object({ unread_count: z.number().int() }),
  /** Other service notices are to be shown than before. */
  notice: z.object({}),
  /** Documents of a shelf changed, by whoever it was. */
  commit: z.object({ shelf_id: Id }),
  /** Members of a shelf changed, or the listener is one no more. */
  members: z.object({ shelf_id: Id }),
};

/** Notifications, and what people want to hear of (web-and-phone.md §7, field.md rows 56 and 57). */
export const notifications = {
  count: call({
    method: 'GET',
    path: '/api/v1/notifications/count/',
    summary: 'How many notifications are unread.',
    access: 'user',
    response: z.object({ status, count: z.number().int() }),
    errors: [],
  }),
  list: call({
    method: 'GET',
    path: '/api/v1/notifications/',
    summary: 'Notifications, newest first.',
    access: 'user',
    query: z.object({
      page: z.coerce.number().int().min(1).default(1),
      limit: z.coerce.number().int().min(1).max(100).default(10),
    }),
    response: z.object({
      status,
      notifications: z.array(Notification),
      unread_count: z.number().int(),
      has_more: z.boolean(),
    }),
    errors: [],
  }),
  markAsRead: call({
    method: 'POST',
    path: '/api/v1/notifications/{id}/mark_as_read/',
    summary: 'Marks one notification as read.',
    access: 'user',
    params: z.object({ id: Id }),
    response: z.object({ status, unread_count: z.number().int() }),
    errors: ['not-found'],
  }),
  markAllAsRead: call({
    method: 'POST',
    path: '/api/v1/notifications/mark_all_as_read/',
    summary: 'Marks all notifications as read.',
    access: 'user',
    response: z.object({ status, unread_count: z.number().int() }),
    errors: [],
  }),
  follows: call({
    method: 'GET',
    path: '/api/v1/follows/',
    summary: 'Shelves and documents that the caller follows or has muted.',
    access: 'user',
    response: z.object({ follows: z.array(Follow) }),
    errors: [],
  }),
  follow: call({
    method: 'PUT',
    path: '/api/v1/follows/{kind}/{id}/',
    summary: 'Followers hear of each new version; who muted a place hears nothing of it.',
    access: 'user',
    params: followParams,
    body: z.object({ mode: z.enum(['follow', 'mute']) }),
    response: Follow,
    errors: ['not-found'],
  }),
  unfollow: call({
    method: 'DELETE',
    path: '/api/v1/follows/{kind}/{id}/',
    summary: 'Back to what members hear of anyway.',
    access: 'user',
    params: followParams,
    response: z.object({ removed: z.literal(true) }),
    errors: [],
  }),
};

/** Texts of the Notifications page. */
export const notifications = {
  notifications: 'Notifications',
  notificationsShow: 'Show in notifications',
  notificationsFull: 'Name and message',
  notificationsName: 'Name only',
  notificationsHidden: 'No details',
  notificationsOff: 'No notifications',
  notificationsFail: 'Your system isn’t showing Waxwing’s notifications. Allow them in its settings.',
  notificationsFailMac:
    'macOS isn’t showing Waxwing’s notifications. Allow them in System Settings. A copy that isn’t signed can’t show any.',
  permission: 'Notifications in this browser',
  permissionAllow: 'Allow notifications',
  permissionGranted: 'Allowed. Keep a Waxwing tab open to get them.',
  permissionDefault: 'Your browser asks you once. Nothing is shown until you allow it.',
  permissionDenied:
    'Blocked. To change it, select the icon beside the address, allow notifications, then reload this page.',
  permissionNone: 'This browser can’t show notifications.',
  sound: 'Sound',
  soundText: 'Plays your system’s notification sound',
  quietHours: 'Quiet hours',
  quietHoursText: 'No notifications between two times, every day',
  quietFrom: 'From',
  quietTo: 'To',
  quietSame: 'Choose two different times.',
} as const;

/** Texts of the Appearance page. */
export const appearance = {
  appearance: 'Appearance',
  theme: 'Theme',
  findTheme: 'dark mode, light mode, night, colors',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  textSize: 'Text size',
  findTextSize: 'font, bigger, larger, smaller, zoom, scale',
  density: 'Density',
  findDensity: 'compact, comfortable, spacing, rows',
  densityComfortable: 'Comfortable',
  densityCompact: 'Compact',
} as const;

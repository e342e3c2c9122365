; What the app has put into this account's registry by itself (src/main/app.ts, src/main/login-item.ts) goes with it:
; the handler of its links, what starts it for an answered notification, and its place among what starts at login. An update
; keeps all of them.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\waxwing"
    DeleteRegKey HKCU "Software\Classes\CLSID\{C6AE644C-4D22-48EB-863B-ED87A4BBFFEF}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "dev.waxwing.app"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "dev.waxwing.app"
  ${endIf}
!macroend

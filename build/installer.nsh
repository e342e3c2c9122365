; What the app has put into this account's registry by itself (src/main/app.ts, src/main/login-item.ts) goes with it:
; the handler of its links, and its place among what starts at login. An update keeps both.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\waxwing"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "dev.waxwing.app"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "dev.waxwing.app"
  ${endIf}
!macroend

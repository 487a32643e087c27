# shellcheck shell=bash
# Shared by the scripts next to it; sourced, never run.
# Expects `set -euo pipefail`. Sets ROOT. Defines: say, die, find_jdk, jdk_major, ensure_built.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DIST_SERVER=$ROOT/server/target/dist/lib
DIST_CTL=$ROOT/ctl/target/dist/lib

say() { printf '%s\n' "$*" >&2; }
die() {
  say "${0##*/}: $*"
  exit 1
}

# Prints the version in the `release` file of a JDK, such as 17.0.15, or nothing.
jdk_version() {
  local line
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in
        JAVA_VERSION=*)
          line=${line#JAVA_VERSION=}
          printf '%s\n' "${line//\"/}"
          return 0
          ;;
      esac
    done <"$1/release"
  fi
  "$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p;q'
}

# A number that orders versions: 17.0.15 -> 17000015.
version_rank() {
  local major minor patch rest
  IFS=.+-_ read -r major minor patch rest <<<"$1"
  printf '%d' $((10#${major:-0} * 1000000 + 10#${minor:-0} * 1000 + 10#${patch:-0}))
}

# Sets JDK (a directory) and JDK_VERSION to the newest one found; TIDEMARK_JAVA_HOME forces one.
find_jdk() {
  local candidate version rank best=0 on_path
  JDK='' JDK_VERSION=''
  if [ -n "${TIDEMARK_JAVA_HOME:-}" ]; then
    version=$(jdk_version "$TIDEMARK_JAVA_HOME")
    [ -n "$version" ] || die "no JDK in TIDEMARK_JAVA_HOME=$TIDEMARK_JAVA_HOME"
    JDK=$TIDEMARK_JAVA_HOME JDK_VERSION=$version
    return
  fi
  on_path=$(command -v java || true)
  if [ -n "$on_path" ]; then
    on_path=$(readlink -f "$on_path" 2>/dev/null || printf '%s' "$on_path")
    on_path=$(dirname "$(dirname "$on_path")")
  fi
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$candidate" ] && [ -x "$candidate/bin/java" ] || continue
    version=$(jdk_version "$candidate")
    [[ $version =~ ^[0-9] ]] || continue
    rank=$(version_rank "$version")
    if [ "$rank" -gt "$best" ]; then
      best=$rank JDK=$candidate JDK_VERSION=$version
    fi
  done
  [ -n "$JDK" ] || die "no Java found; install JDK 17 or newer, or set JAVA_HOME"
  [ "$best" -ge 17000000 ] || die "Java $JDK_VERSION is too old; JDK 17 or newer is needed"
}

jdk_major() { printf '%s' "${JDK_VERSION%%[.+-]*}"; }

# Class path of one dist directory, in a fixed order (class data archives depend on the order).
class_path() {
  local jar path=''
  for jar in "$1"/*.jar; do path+=:$jar; done
  printf '%s' "${path#:}"
}

# Whether a source file is newer than what was built from it.
is_stale() {
  [ -e "$ROOT/server/target/dist/.built" ] || return 0
  [ -n "$(find "$ROOT"/pom.xml "$ROOT"/*/pom.xml "$ROOT"/*/src/main -type f \
    -newer "$ROOT/server/target/dist/.built" -print 2>/dev/null | head -n 1)" ]
}

is_built() { compgen -G "$DIST_SERVER/*.jar" >/dev/null && compgen -G "$DIST_CTL/*.jar" >/dev/null; }

build() {
  command -v mvn >/dev/null || die "not built yet, and Maven (mvn) is not installed"
  say "building (mvn package) ..."
  mkdir -p "$ROOT/server/target"
  local log=$ROOT/server/target/build.log
  # Two builds at a time would tread on each other; the second one finds everything done.
  local lock=$ROOT/server/target/.build-lock waited=0
  until mkdir "$lock" 2>/dev/null; do
    if [ -r "$lock/pid" ] && ! kill -0 "$(cat "$lock/pid")" 2>/dev/null; then
      rm -rf "$lock"
      continue
    fi
    sleep 1
    waited=$((waited + 1))
    [ "$waited" -lt 900 ] || die "another build holds $lock"
  done
  printf '%s\n' "$$" >"$lock/pid"
  if [ "$waited" -gt 0 ] && is_built && ! is_stale; then
    rm -rf "$lock"
    return
  fi
  local status=0 started
  started=$ROOT/server/target/.build-started
  : >"$started"
  # -o when every artifact is at hand, else from the repositories.
  (cd "$ROOT" && mvn -q -o -B -Pquick -pl server,ctl -am package) >"$log" 2>&1 ||
    (cd "$ROOT" && mvn -q -B -Pquick -pl server,ctl -am package) >"$log" 2>&1 || status=$?
  if [ "$status" -eq 0 ] && is_built; then
    mv "$started" "$ROOT/server/target/dist/.built"
  else
    tail -n 40 "$log" >&2
    rm -rf "$lock"
    die "build failed; see $log"
  fi
  rm -rf "$lock"
}

# Builds when nothing is built; with `fresh` also when sources are newer.
ensure_built() {
  if ! is_built || { [ "${1:-}" = fresh ] && is_stale; }; then
    build
  fi
}

# shellcheck shell=bash
# Shared by the scripts next to it; sourced, never run.
# Expects `set -euo pipefail`. Sets ROOT. Defines: say, die, find_jdk, jdk_major, machine_cores,
# machine_mib, ensure_built, train, hold_runtime, process_state, is_zombie.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
RUNTIMES=$ROOT/.runtime

# An unpacked distribution has all jars in lib, and no sources.
installed() { [ -d "$ROOT/lib" ] && [ ! -e "$ROOT/pom.xml" ]; }

if installed; then
  DIST_SERVER=$ROOT/lib DIST_CTL=$ROOT/lib
else
  DIST_SERVER=$ROOT/server/target/dist/lib DIST_CTL=$ROOT/ctl/target/dist/lib
fi

# Where class archives and the logs of making them go: state_dir server|ctl
state_dir() {
  if installed; then printf '%s' "$ROOT/archive"; else printf '%s' "$ROOT/$1/target"; fi
}

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

# --- the machine, or the part of it that a container may use ----------------------------------------

machine_cores() {
  local cores quota period
  cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
  if read -r quota period 2>/dev/null <"${CGROUP:-/sys/fs/cgroup}/cpu.max" && [ "$quota" != max ]; then
    quota=$(((quota + period - 1) / period))
    if [ "$quota" -lt "$cores" ]; then cores=$quota; fi
  fi
  printf '%d' "$cores"
}

# Memory in MiB; 0 when nothing says how much there is.
machine_mib() {
  local kib='' limit
  kib=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' "${MEMINFO:-/proc/meminfo}" 2>/dev/null || true)
  local mib=$((${kib:-0} / 1024))
  if read -r limit 2>/dev/null <"${CGROUP:-/sys/fs/cgroup}/memory.max" && [[ $limit =~ ^[0-9]+$ ]]; then
    limit=$((limit / 1048576))
    if [ "$mib" -eq 0 ] || [ "$limit" -lt "$mib" ]; then mib=$limit; fi
  fi
  printf '%d' "$mib"
}

# Class path of one dist directory, in a fixed order (class data archives depend on the order).
class_path() {
  local jar path=''
  for jar in "$1"/*.jar; do path+=:$jar; done
  printf '%s' "${path#:}"
}

# --- processes ------------------------------------------------------------------------------------

process_state() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || stat="0 (x) $(ps -o state= -p "$1" 2>/dev/null || true)"
  stat=${stat##*) }
  printf '%s' "${stat:0:1}"
}

is_zombie() { [ "$(process_state "$1")" = Z ]; }

# --- runtimes -------------------------------------------------------------------------------------
# A JVM opens its jars again and again, and a rebuild replaces those in dist. So members run from hard
# links to them in a directory named after what it holds, which stays for as long as a member uses it.

# A name for the jars in a directory: equal for equal names, sizes and times.
fingerprint() {
  local sum
  sum=$(cd "$1" && { stat -c '%n %s %Y' ./*.jar 2>/dev/null || stat -f '%N %z %m' ./*.jar; } | cksum)
  printf '%s' "${sum%% *}"
}

# Whether there is such a process, whoever's it is, other than one that ended and was not collected.
is_alive() { { kill -0 "$1" 2>/dev/null || [ -e "/proc/$1" ]; } && ! is_zombie "$1"; }

# Removes the runtimes that no process uses, but for the one given.
discard_runtimes() {
  local dir user
  for dir in "$RUNTIMES"/*/; do
    dir=${dir%/}
    [ "$dir" != "$1" ] || continue
    for user in "$dir"/users/*; do
      if is_alive "${user##*/}"; then continue 2; fi
    done
    rm -rf "$dir"
  done
}

# Puts RocksDB's library for this machine next to the jars in a directory. Without it every start would
# inflate 17 MB into the directory for temporary files, and a killed member would leave them there.
# Where it can't be done, RocksDB finds its library in the jar.
unpack_native() {
  local platform libc=''
  case $(uname -sm) in
    'Linux x86_64') platform=linux64 ;;
    'Linux aarch64') platform=linux-aarch64 ;;
    *) return 0 ;;
  esac
  if compgen -G '/lib/ld-musl-*' >/dev/null; then libc=-musl; fi
  (
    mkdir "$1/native" && cd "$1/native" &&
      "$JDK/bin/jar" xf ../rocksdbjni-*.jar "librocksdbjni-$platform$libc.so"
  ) >/dev/null 2>&1 || true
}

# Sets RUNTIME to the directory with the jars to run. It is this process's until the process ends; the
# caller turns itself into the JVM by `exec`. Where no directory can be made, it is dist itself.
hold_runtime() {
  local dir making user
  RUNTIME=$DIST_SERVER
  if installed; then return 0; fi # nobody builds there
  dir=$RUNTIMES/$(fingerprint "$DIST_SERVER")
  if [ ! -d "$dir" ]; then
    making=$RUNTIMES/.new.$$
    mkdir -p "$making/users" 2>/dev/null || return 0
    cp -l "$DIST_SERVER"/*.jar "$making" 2>/dev/null || cp -p "$DIST_SERVER"/*.jar "$making"
    : >"$making/users/$$"
    unpack_native "$making"
    dir=$RUNTIMES/$(fingerprint "$making")
    mv "$making" "$dir" 2>/dev/null || true
    # Another start was first: then it went into that one's directory, or nowhere.
    rm -rf "$making" "$dir/${making##*/}"
    discard_runtimes "$dir"
  fi
  for user in "$dir"/users/*; do
    if ! is_alive "${user##*/}"; then rm -f "$user"; fi
  done
  { : >"$dir/users/$$"; } 2>/dev/null || return 0
  RUNTIME=$dir
}

# --- class archives -------------------------------------------------------------------------------
# A JVM that finds its classes loaded, linked and profiled in an archive starts a member with a third
# of the CPU time. JDK 25 and newer: AOT
# cache; older ones: class data sharing. A JVM 25 that finds its jars under another path than the one
# they were archived from takes the archive's classes without a look at the jars, so an archive's name
# says which jars it was made of.

# archive_file server|ctl
archive_file() {
  local suffix=aot
  if [ "$(jdk_major)" -lt 25 ]; then suffix=jsa; fi
  printf '%s' "$(archive_dir "$1")/$1-$JDK_VERSION-$(fingerprint "$(lib_dir "$1")").$suffix"
}

lib_dir() { if [ "$1" = server ]; then printf '%s' "$DIST_SERVER"; else printf '%s' "$DIST_CTL"; fi; }

archive_dir() {
  if installed; then state_dir "$1"; else printf '%s' "$ROOT/$1/target/dist/archive"; fi
}

# Sets ARCHIVE_FLAGS. TIDEMARK_CDS=off uses none, TIDEMARK_CDS=train makes one when the JVM exits.
archive_flags() {
  local file create use
  file=$(archive_file "$1")
  create=-XX:AOTCacheOutput= use=-XX:AOTCache=
  if [ "$(jdk_major)" -lt 25 ]; then create=-XX:ArchiveClassesAtExit= use=-XX:SharedArchiveFile=; fi
  # Without the first two, an archive that does not fit is remarked upon on standard output.
  ARCHIVE_FLAGS=(-Xlog:disable -Xlog:all=error:stderr)
  case ${TIDEMARK_CDS:-on} in
    off) ;;
    train) ARCHIVE_FLAGS+=("$create$file.new") ;;
    *) if [ -r "$file" ]; then ARCHIVE_FLAGS+=("$use$file"); fi ;;
  esac
}

# Two ports in a row that nobody listens on, and not the pair after those given.
free_port_pair() {
  local port
  while :; do
    port=$((21000 + RANDOM % 4500 * 2))
    if [ "$port" != "${1:-}" ] && ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null &&
      ! (exec 3<>"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null; then
      printf '%s' "$port"
      return
    fi
  done
}

# start_trainee NAME DIR PORT INITIAL_CLUSTER: becomes a member that others can be trained with.
start_trainee() {
  unset ETCD_CONFIG_FILE
  exec "$(dirname "${BASH_SOURCE[0]}")/tidemark" --name "$1" --data-dir "$2/$1" \
    --listen-client-urls "http://127.0.0.1:$3" \
    --advertise-client-urls "http://127.0.0.1:$3" \
    --listen-peer-urls "http://127.0.0.1:$(($3 + 1))" \
    --initial-advertise-peer-urls "http://127.0.0.1:$(($3 + 1))" \
    --initial-cluster "$4"
}

# Runs a member and the client once, so that archives of their classes get written. The member has
# another one beside it, leads it and follows it: what speaks to peers is a third of the classes.
# Never fatal.
train() {
  if [ "${TIDEMARK_CDS:-on}" = off ]; then return 0; fi
  local port peer pid other dir deadline here endpoints cluster ids id
  here=$(dirname "${BASH_SOURCE[0]}")
  find_jdk
  say "preparing class archives for JDK $JDK_VERSION ..."
  mkdir -p "$(archive_dir server)" "$(archive_dir ctl)"
  port=$(free_port_pair)
  peer=$(free_port_pair "$port")
  dir=$(mktemp -d)
  cluster=train=http://127.0.0.1:$((port + 1)),other=http://127.0.0.1:$((peer + 1))
  endpoints=127.0.0.1:$port,127.0.0.1:$peer
  (TIDEMARK_CDS=train start_trainee train "$dir" "$port" "$cluster") \
    >"$(state_dir server)/train-server.log" 2>&1 </dev/null &
  pid=$!
  (TIDEMARK_CDS=off start_trainee other "$dir" "$peer" "$cluster") >/dev/null 2>&1 </dev/null &
  other=$!
  deadline=$((SECONDS + 120))
  until "$here/healthy" "$port"; do
    if [ "$SECONDS" -ge "$deadline" ] || ! kill -0 "$pid" 2>/dev/null; then break; fi
    sleep 0.2
  done
  TIDEMARK_CDS=train "$here/tidemarkctl" "--endpoints=127.0.0.1:$port" \
    --command-timeout=20s get train >"$(state_dir ctl)/train-ctl.log" 2>&1 || true
  keep_archive ctl
  ids=$("$here/tidemarkctl" "--endpoints=$endpoints" member list 2>/dev/null | cut -d, -f1) || ids=''
  for id in $ids $ids; do
    "$here/tidemarkctl" "--endpoints=$endpoints" --command-timeout=20s move-leader "$id" \
      >/dev/null 2>&1 || true
    "$here/tidemarkctl" "--endpoints=$endpoints" --command-timeout=20s put train "$id" \
      >/dev/null 2>&1 || true
  done
  stop_trainee "$pid"
  stop_trainee "$other"
  rm -rf "$dir"
  keep_archive server
}

# Puts a new archive in its place; those of other jars are of no use.
keep_archive() {
  local file
  file=$(archive_file "$1")
  find "${file%/*}" -type f -name "$1-*" ! -name "*-$(fingerprint "$(lib_dir "$1")").*" \
    -exec rm -f {} +
  if [ -s "$file.new" ]; then
    mv "$file.new" "$file"
  else
    say "no class archive for $1 (see $(state_dir "$1")/train-$1.log); starts will be slower"
  fi
}

stop_trainee() {
  local deadline=$((SECONDS + 120))
  kill -TERM "$1" 2>/dev/null || true
  while kill -0 "$1" 2>/dev/null; do
    if [ "$SECONDS" -ge "$deadline" ]; then kill -KILL "$1" 2>/dev/null || true; fi
    sleep 0.2
  done
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
    train
  else
    tail -n 40 "$log" >&2
    rm -rf "$lock"
    die "build failed; see $log"
  fi
  rm -rf "$lock"
}

# Builds when nothing is built; with `fresh` also when sources are newer.
ensure_built() {
  if installed; then return 0; fi
  if ! is_built || { [ "${1:-}" = fresh ] && is_stale; }; then
    build
  fi
}

package io.tidemark.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom. Each rule is an arrow, or the absence of one, of ARCHITECTURE.md. */
@AnalyzeClasses(packages = "io.tidemark", importOptions = OurMainClasses.class)
final class ArrowsTest {
  @ArchTest static final ArchRule API_KNOWS_NOBODY = onlyKnows("api");

  @ArchTest static final ArchRule JUDGE_KNOWS_THE_WIRE = onlyKnows("judge", "api");

  @ArchTest static final ArchRule CLUSTER_CONFIG_KNOWS_NOBODY = onlyKnows("clusterconfig");

  @ArchTest
  static final ArchRule MVCC_KNOWS_KEYS_AND_ERRORS = onlyKnows("mvcc", "api.mvccpb", "api.errors");

  @ArchTest
  static final ArchRule WATCH_KNOWS_THE_STORE =
      onlyKnows("watch", "mvcc", "api.mvccpb", "api.errors");

  @ArchTest
  static final ArchRule STATE_MACHINE_KNOWS_THE_STORE = onlyKnows("statemachine", "mvcc", "api");

  @ArchTest
  static final ArchRule RAFT_CORE_JOINS_STATE_MACHINE_AND_WATCH =
      onlyKnows("raftcore", "statemachine", "watch", "clusterconfig", "mvcc", "api");

  @ArchTest
  static final ArchRule SERVER_KNOWS_EVERYTHING_BELOW =
      onlyKnows("server", "raftcore", "statemachine", "watch", "clusterconfig", "mvcc", "api");

  @ArchTest static final ArchRule CTL_IS_A_CLIENT = onlyKnows("ctl", "api", "server");

  @ArchTest
  static final ArchRule TESTKIT_STARTS_SERVERS =
      onlyKnows("testkit", "server", "clusterconfig", "api");

  @ArchTest static final ArchRule ONLY_MVCC_KNOWS_ROCKSDB = onlyIn("mvcc", "org.rocksdb..");

  @ArchTest
  static final ArchRule ONLY_RAFT_CORE_KNOWS_RATIS = onlyIn("raftcore", "org.apache.ratis..");

  @ArchTest
  static final ArchRule THE_CORE_KNOWS_NO_TRANSPORT =
      noClasses()
          .that(
              resideInAnyPackage(
                  "io.tidemark.mvcc..",
                  "io.tidemark.watch..",
                  "io.tidemark.statemachine..",
                  "io.tidemark.clusterconfig..",
                  "io.tidemark.api.errors.."))
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.grpc..", "io.netty.."))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule METRICS_REGISTRY_STAYS_ABOVE =
      noClasses()
          .that(not(resideInAnyPackage("io.tidemark.raftcore..", "io.tidemark.server..")))
          .should()
          .dependOnClassesThat(resideInAPackage("com.codahale.."))
          .because("lower modules count with plain counters or tell a listener")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.tidemark.(**)").should().beFreeOfCycles().allowEmptyShould(true);

  private static ArchRule onlyKnows(String module, String... others) {
    String[] allowed = new String[others.length + 1];
    allowed[0] = "io.tidemark." + module + "..";
    for (int i = 0; i < others.length; i++) {
      allowed[i + 1] = "io.tidemark." + others[i] + "..";
    }
    return noClasses()
        .that(resideInAPackage("io.tidemark." + module + ".."))
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.tidemark..").and(not(resideInAnyPackage(allowed))))
        .because("of ours, " + module + " may know only " + String.join(", ", allowed))
        .allowEmptyShould(true);
  }

  private static ArchRule onlyIn(String module, String library) {
    return noClasses()
        .that(not(resideInAPackage("io.tidemark." + module + "..")))
        .should()
        .dependOnClassesThat(resideInAPackage(library))
        .because(library + " is " + module + "'s secret")
        .allowEmptyShould(true);
  }
}

package io.tidemark.it.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;

/** Names, nullness and calls that this code base does without. */
@AnalyzeClasses(packages = "io.tidemark", importOptions = OurMainClasses.class)
final class HouseRulesTest {
  private static final String RATIS = "org.apache.ratis..";

  @ArchTest
  static final ArchRule NAMES_SAY_THE_ROLE =
      noClasses()
          .that(OurMainClasses.OURS)
          .should()
          .haveNameMatching(".*(Util|Utils|Manager|Helper|Impl|Processor|Data|Info)")
          .because("such a name says that nobody decided what the class is for");

  @ArchTest
  static final ArchRule PACKAGES_ARE_NULL_MARKED =
      classes().that(OurMainClasses.OURS).should(resideInANullMarkedPackage());

  @ArchTest
  static final ArchRule NO_SLEEPING =
      noClasses()
          .should()
          .callMethodWhere(target(name("sleep")).and(target(owner(assignableTo(Thread.class)))))
          .orShould()
          .callMethodWhere(target(name("sleep")).and(target(owner(assignableTo(TimeUnit.class)))))
          .because("code waits for events, not for time to pass");

  @ArchTest
  static final ArchRule ONLY_MAIN_ENDS_THE_JVM =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.tidemark.ctl..", "io.tidemark.it..")
          .and()
          .doNotHaveFullyQualifiedName("io.tidemark.server.Main")
          .should()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class)
          .orShould()
          .callMethod(Runtime.class, "addShutdownHook", Thread.class)
          .orShould()
          .callMethod(System.class, "setProperty", String.class, String.class)
          .because("members live in JVMs of others");

  @ArchTest
  static final ArchRule NO_UNBOUNDED_QUEUES =
      noClasses()
          .should()
          .callConstructor(LinkedBlockingQueue.class)
          .orShould()
          .callConstructor(LinkedBlockingDeque.class)
          .because("every queue has a bound and a policy for when it is full");

  @ArchTest
  static final ArchRule RATIS_READ_INDEX_IS_NOT_USED =
      noClasses()
          .should()
          .callMethodWhere(
              target(name("readIndexAsync")).and(target(owner(resideInAPackage(RATIS)))))
          .because("it answers stale reads behind a partition; see the read barrier");

  @ArchTest
  static final ArchRule RATIS_LINEARIZABLE_OPTION_IS_NOT_USED =
      noClasses()
          .should()
          .accessFieldWhere(
              target(name("LINEARIZABLE")).and(target(owner(resideInAPackage(RATIS)))))
          .because("it answers stale reads behind a partition; see the read barrier");

  @ArchTest
  static final ArchRule RATIS_LEADER_LEASE_IS_NOT_USED =
      noClasses()
          .should()
          .callMethodWhere(
              target(nameMatching("(?i).*leaderlease.*"))
                  .and(target(owner(resideInAPackage(RATIS)))))
          .because("a partitioned leader keeps it and answers stale reads");

  private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
    return new ArchCondition<>("reside in a package whose package-info is @NullMarked") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        if (!item.getPackage().isAnnotatedWith(NullMarked.class)) {
          events.add(SimpleConditionEvent.violated(item, item.getName() + " does not"));
        }
      }
    };
  }
}
